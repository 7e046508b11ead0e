/// <reference path="./class-validator-internals.d.ts" />
import { isString } from 'class-validator';
import * as validateByModule from 'class-validator/cjs/decorator/common/ValidateBy.js';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { whileDeclaring } from './while-declaring';

/** Rules whose predicate touches nothing that could tell where it stands: they must be noted when they are declared. */
const SILENT = new Set(['isNotEmpty', 'isDefined', 'isEmpty']);

/** Rules whose predicate asks one of the language's own functions, and a value it asks about. */
const ASKING: Readonly<Record<string, readonly [owner: object, name: string, value: unknown]>> = {
  isInt: [Number, 'isInteger', 1],
  isArray: [Array, 'isArray', []],
  isObject: [Array, 'isArray', []],
  arrayNotEmpty: [Array, 'isArray', []],
};

/** A validator of class-validator's own, by the name of the decorator that made it. */
const noted = new WeakMap<object, string>();

/** The validator behind a wrapper class that `registerDecorator` made. */
const behind = new WeakMap<Function, object>();

/**
 * Says which of class-validator's own decorators declared a rule, or `undefined` where that is not certain.
 *
 * A decorator that runs after this module was loaded is noted by the file that made it. A rule declared before is
 * called once with arguments that, when they are touched, look at the stack: a frame in the library's own file, called
 * by the library's wrapper, is proof; a name is none. Some touch nothing but ask whether a number is whole or a value a
 * list: for that one call the language's function looks at the stack. The rest then stays uncertain.
 */
export function builtinOf(declared: ValidationMetadata, validator: ConstraintMetadata): string | undefined {
  if (!found.has(declared)) found.set(declared, find(declared, validator));
  return found.get(declared);
}

const found = new WeakMap<ValidationMetadata, string | undefined>();

function find(declared: ValidationMetadata, validator: ConstraintMetadata): string | undefined {
  const wrapper = validator.target as new () => { validate(value: unknown, given: unknown): unknown };
  if (!declared.name || declared.constraintCls !== wrapper) return undefined;
  const name = noted.get(behind.get(wrapper) ?? wrapper);
  if (name !== undefined || SILENT.has(declared.name)) return name;
  if (!wrapper.name.startsWith('CustomConstraint')) return undefined;
  const asking = Object.hasOwn(ASKING, declared.name) ? ASKING[declared.name] : undefined;
  if (asking)
    return decoratorIn(
      framesWhenAsked(...asking, (value) => new wrapper().validate(value, {})),
      2,
    );
  return decoratorIn(
    framesWhenTouched((value, given) => new wrapper().validate(value, given)),
    1,
  );
}

/**
 * Says whether a condition is, for certain, that of `IsOptional`: it reads the property, and does nothing else.
 *
 * A condition of `ValidateIf` is called too, with an object that throws when it is touched.
 */
export function isOptional(declared: ValidationMetadata): boolean {
  if (declared.name !== 'isOptional') return false;
  const condition = declared.constraints?.[0] as (object: unknown, value: unknown) => unknown;
  const [file = ''] = framesWhenTouched((value) => condition(value, undefined));
  return nameIn(file) === 'IsOptional';
}

/** The files of the frames between a touch and the one who called, innermost first. */
function framesWhenTouched(call: (value: unknown, given: unknown) => unknown): string[] {
  let frames: string[] = [];
  const touched = (): never => {
    frames = callers(touched);
    throw new TouchedError();
  };
  const value = new Proxy({}, { getPrototypeOf: touched, get: touched });
  const given = Object.defineProperty({}, 'constraints', { get: touched });
  try {
    call(value, given);
  } catch (error) {
    if (!(error instanceof TouchedError)) return [];
  }
  return frames;
}

/** The files of the frames between a function of the language and the one who called, innermost first. */
function framesWhenAsked(
  owner: object,
  name: string,
  value: unknown,
  call: (value: unknown) => unknown,
): string[] {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const answer = own?.value as (...given: unknown[]) => unknown;
  let frames: string[] | undefined;
  const asked = (...given: unknown[]): unknown => {
    frames ??= callers(asked);
    return answer.apply(owner, given);
  };
  if (!own?.configurable || !Reflect.defineProperty(owner, name, { ...own, value: asked })) return [];
  try {
    call(value);
  } catch {
    // A rule of one's own that cannot do with this value: no frame of the library's, so no proof.
  } finally {
    Reflect.defineProperty(owner, name, own);
  }
  return frames ?? [];
}

class TouchedError extends Error {}

/** All frames up to the wrapper must stand in one file of the library's decorators, and there must be one. */
function decoratorIn(frames: readonly string[], atLeast: number): string | undefined {
  const end = frames.findIndex((file) => file === library().wrapper);
  const inner = frames.slice(0, end);
  const file = inner[0];
  if (end < atLeast || file === undefined || inner.some((one) => one !== file)) return undefined;
  return nameIn(file);
}

function nameIn(file: string): string | undefined {
  if (!file.startsWith(library().decorators)) return undefined;
  return file.slice(file.lastIndexOf('/') + 1, -'.js'.length);
}

interface Library {
  readonly decorators: string;
  readonly wrapper: string;
}

let place: Library | undefined;

/** Where class-validator stands, told by one of its own functions. */
function library(): Library {
  if (place) return place;
  const [file = ''] = framesWhenTouched((value) => isString(value));
  const end = file.lastIndexOf('typechecker/IsString.js');
  const decorators = end < 0 ? '\0nowhere' : file.slice(0, end);
  place = { decorators, wrapper: decorators.replace(/decorator\/$/, 'register-decorator.js') };
  return place;
}

function callers(above: Function, limit = 6): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = (_, sites) =>
      sites
        .filter((site) => site.getFunctionName() !== '[Symbol.hasInstance]' || site.getFileName() !== null)
        .map((site) => (site.getFileName() ?? '').replaceAll('\\', '/'));
    Error.captureStackTrace(holder, above);
    return holder.stack as string[];
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

/** Class-validator's own decorators all go through one function, which its modules look up anew at each call. */
const maker = (
  'default' in validateByModule ? validateByModule.default : validateByModule
) as typeof validateByModule;
const { ValidateBy } = maker;

Reflect.set(maker, 'ValidateBy', function noting(...[options, ...rest]: Parameters<typeof ValidateBy>) {
  const decorate = ValidateBy(options, ...rest);
  const name = nameIn(callers(noting, 1)[0] ?? '');
  if (name === undefined) return decorate;
  noted.set(options.validator, name);
  return (target: object, property: string | symbol) => {
    whileDeclaring(
      () => decorate(target, property),
      (validator) => behind.set(validator.target, options.validator),
    );
  };
});
