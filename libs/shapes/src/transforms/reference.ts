/// <reference types="./class-transformer-storage" />
import * as library from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';
import { forgetTransforms, storage } from './storage';

/** The engine that every compiled function is measured by, and that does what was not compiled. */
export { TransformOperationExecutor as Executor };

const KNOWN_VERSION = '0.5';

let installed: string | undefined;

/**
 * What the loaded class-transformer is: `0.5` if it answers as that does and keeps what is declared where we read it,
 * `unknown` otherwise.
 *
 * It is asked, by classes made for the purpose; neither its file nor its version is looked at. A bundle may hold the
 * library twice: then decorators write where nobody reads, and it is unknown.
 */
export function installedVersion(): string {
  installed ??= answersAsKnown() ? KNOWN_VERSION : 'unknown';
  return installed;
}

/**
 * Whether decorators of a class-transformer may be compiled.
 *
 * @param version what {@link installedVersion} says
 * @param trusted versions a caller vouches for, beside those that were tested here
 */
export function isKnownVersion(version: string, trusted: readonly string[] = []): boolean {
  return version === KNOWN_VERSION || trusted.includes(version);
}

function answersAsKnown(): boolean {
  class Base {}
  class Part {}
  class Tried extends Base {}
  const declare = (property: string, ...decorators: PropertyDecorator[]) => {
    for (const decorate of decorators) decorate(Tried.prototype, property);
  };
  try {
    library.Transform(({ value }) => `${String(value)}!`)(Base.prototype, 'text');
    declare(
      'text',
      library.Transform(({ value, key, options }) => `${String(value)}${key}${String(options.version)}`),
    );
    declare(
      'when',
      library.Type(() => Date),
      library.Expose({ name: 'at' }),
    );
    declare(
      'part',
      library.Type(() => Part),
    );
    declare(
      'parts',
      library.Type(() => Part),
    );
    declare('hidden', library.Exclude());
    declare('grouped', library.Expose({ groups: ['a'] }));
    declare('since', library.Expose({ since: 2 }));
    if (storage.findTypeMetadata(Tried, 'part')?.typeFunction?.() !== Part) return false;
    const plain = {
      text: 'a',
      at: 0,
      part: { b: 1 },
      parts: [{}, 1, null],
      hidden: 1,
      grouped: 1,
      since: 1,
      more: [{}],
    };
    const made = library.plainToInstance(Tried, plain, { version: 1 });
    const back = library.instanceToPlain(made, { groups: ['a'] });
    return JSON.stringify([namesOf(made), made, back]) === JSON.stringify(EXPECTED);
  } catch {
    return false;
  } finally {
    forgetTransforms([Base, Part, Tried]);
  }
}

const WHEN = '1970-01-01T00:00:00.000Z';

/** The classes, the instance and the plain object that class-transformer 0.5 makes of that. */
const EXPECTED: readonly unknown[] = [
  [
    'Tried',
    'string',
    ['Date'],
    ['Part', 'number'],
    ['Array', ['Part'], 'number', 'object'],
    ['Array', ['Object']],
  ],
  { text: 'a!text1', when: WHEN, part: { b: 1 }, parts: [{}, 1, null], more: [{}] },
  { text: 'a!text1!textundefined', at: WHEN, part: { b: 1 }, parts: [{}, 1, null], more: [{}] },
];

/** The classes of an object and of what it holds. */
function namesOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  const { name } = (value as { constructor: Function }).constructor;
  return [name, ...Object.values(value).map(namesOf)];
}
