import { isObject } from '../values';
import * as library from 'class-transformer';
import { named } from '../named';
import { isLoadedTwice } from './loaded-twice';
import { declaredTransforms, forgetTransforms, storage } from './storage';

const KNOWN_VERSION = '0.5';

let installed: string | undefined;

/**
 * Returns the loaded class-transformer's version: `0.5` if it behaves like that version and stores metadata where we read it,
 * `unknown` otherwise.
 *
 * The function tests this with temporary classes and ignores the file and the version number. If the program contains the
 * library twice, decorators write to a separate storage, and the version is unknown.
 */
export function installedVersion(): string {
  installed ??= !isLoadedTwice() && behavesAsKnown() ? KNOWN_VERSION : 'unknown';
  return installed;
}

/**
 * Whether the decorators from a class-transformer version may be compiled.
 *
 * @param version from {@link installedVersion}
 * @param trusted versions that the caller trusts, in addition to the tested versions
 */
export function isKnownVersion(version: string, trusted: readonly string[] = []): boolean {
  return version === KNOWN_VERSION || trusted.includes(version);
}

function behavesAsKnown(): boolean {
  class Base {}
  const Part = named('Part', class {});
  const Probe = named('Probe', class extends Base {});
  const hasMetadata = typeof Reflect.get(Reflect, 'getMetadata') === 'function';
  const declare = (property: string, ...decorators: PropertyDecorator[]) => {
    for (const decorate of decorators) decorate(Probe.prototype, property);
  };
  try {
    // `@Type` calls it. A program without reflect-metadata has no `@Type`, and its classes are compiled too.
    if (!hasMetadata) Reflect.set(Reflect, 'getMetadata', () => undefined);
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
    if (storage.findTypeMetadata(Probe, 'part')?.typeFunction?.() !== Part) return false;
    const stored = [
      storage.getExposedMetadatas(Probe),
      storage.getExcludedMetadatas(Probe),
      storage.findMetadatas(declaredTransforms, Probe, 'text'),
    ].map((declared) => declared.map(({ propertyName }) => propertyName));
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
    const instance = library.plainToInstance(Probe, plain, { version: 1 });
    const back = library.instanceToPlain(instance, { groups: ['a'] });
    return JSON.stringify([stored, namesOf(instance), instance, back]) === JSON.stringify(EXPECTED);
  } catch {
    return false;
  } finally {
    if (!hasMetadata) Reflect.deleteProperty(Reflect, 'getMetadata');
    forgetTransforms([Base, Part, Probe]);
  }
}

const WHEN = '1970-01-01T00:00:00.000Z';

/** The expected results for class-transformer 0.5: the stored metadata, the classes, the instance and the plain object. */
const EXPECTED: readonly unknown[] = [
  [['when', 'grouped', 'since'], ['hidden'], ['text', 'text']],
  [
    'Probe',
    'string',
    ['Date'],
    ['Part', 'number'],
    ['Array', ['Part'], 'number', 'object'],
    ['Array', ['Object']],
  ],
  { text: 'a!text1', when: WHEN, part: { b: 1 }, parts: [{}, 1, null], more: [{}] },
  { text: 'a!text1!textundefined', at: WHEN, part: { b: 1 }, parts: [{}, 1, null], more: [{}] },
];

/** Returns the class names for an object and its values. */
function namesOf(value: unknown): unknown {
  if (!isObject(value)) return typeof value;
  const { name } = (value as { constructor: Function }).constructor;
  return [name, ...Object.values(value).map(namesOf)];
}
