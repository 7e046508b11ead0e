import { hasPlainPrototype, isRecord, prototypeOf } from '../../shapes/values';
import { propertyOf } from '../../shapes/transforms/declared-rules';
import { selectTransforms } from '../../shapes/transforms/selection';
import { readTransforms } from '../../shapes/transforms/transform-shape';
import type { ClassTransformOptions } from 'class-transformer';
import { readBoolean, unreadable } from './boolean-texts';
import { classOfProperty } from './declared-types';
import { isMember } from './members';
import type { UnsafeInput } from './unsafe-input';

/** The maximum nesting depth, including the input itself. Deeper input overflows the libraries' stack. */
const MAX_DEPTH = 32;
/** The most fields in an object, because class-transformer compares each name with every other name. */
const MAX_FIELDS = 1000;
/** The most objects and lists in an input. Each costs the libraries some microseconds, and the smallest is two bytes. */
const MAX_OBJECTS = 5000;

/** The path from an input to a part of it: field names and list indices. */
export type InputPath = readonly (string | number)[];

/** An input object with fields that are named like members of its class. */
export interface MemberFields {
  readonly object: object;
  readonly path: InputPath;
  /** The names of all fields in the object, in order. */
  readonly order: readonly string[];
  /** The fields named like members, with their values. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** The reason why an input must not reach the libraries, or else the fields to keep from them. */
export type Inspection =
  | { readonly unsafe: UnsafeInput; readonly members?: undefined }
  | { readonly unsafe?: undefined; readonly members: readonly MemberFields[] };

/**
 * Walks once through untrusted input.
 *
 * It finds input at which class-transformer or a rule throws instead of failing, or needs excessive time: nesting beyond 32
 * levels (a stack overflow), unpaired surrogates in a string or in a field's name (a `URIError` from the e-mail rule), more than
 * 1000 fields in a single object or 5000 objects in all (a tenth of a second for 100 KiB). A cycle counts as unlimited depth. It
 * enters only plain objects and lists, since these are the only objects in JSON.
 *
 * It converts the strings `true` and `false` wherever class-transformer would convert any value to a boolean by its truthiness,
 * which makes `'false'` and `'no'` true. Any other value there is unsafe too, after everything above. A property with its own
 * transform stays unchanged.
 *
 * It lists the fields that are named like members of their class: `toString`, `constructor`, a method, a getter. They can never
 * be set, so class-transformer drops them silently, or throws. Members are never called.
 *
 * @param options the conversion options, which decide where booleans are expected
 */
export function inspectInput(
  type: Function,
  value: unknown,
  options: ClassTransformOptions = {},
): Inspection {
  const walk = new Walk(options);
  const unsafe = walk.enter(value, type) ?? walk.fault;
  return unsafe ? { unsafe } : { members: walk.members };
}

class Walk {
  readonly members: MemberFields[] = [];
  /** The first value that is not a boolean where a boolean is expected. */
  fault: UnsafeInput | undefined;
  readonly #path: (string | number)[] = [];
  #objects = 0;

  readonly #options: ClassTransformOptions;

  constructor(options: ClassTransformOptions) {
    this.#options = options;
  }

  /** Inspects a class value, and returns the first finding in order. */
  enter(value: unknown, type: Function): UnsafeInput | undefined {
    if (typeof value === 'string') return value.isWellFormed() ? undefined : this.#illFormed();
    if (!isPlain(value)) return undefined;
    const names = Object.keys(value);
    this.#objects += 1;
    const excess = this.#excess(value, names.length);
    if (excess) return { rule: 'isBounded', message: excess, path: [] };
    return Array.isArray(value) ? this.#enterList(value, names, type) : this.#enterObject(value, names, type);
  }

  #enterList(list: object, names: readonly string[], type: Function): UnsafeInput | undefined {
    for (const name of names) {
      const unsafe = this.#at(Number(name), () => this.enter(Reflect.get(list, name), type));
      if (unsafe) return unsafe;
    }
    return undefined;
  }

  #enterObject(object: object, names: readonly string[], type: Function): UnsafeInput | undefined {
    const values = new Map<string, unknown>();
    for (const name of names) {
      if (!name.isWellFormed()) return this.#illFormedName();
      const seen = this.members.length;
      const unsafe = this.#at(name, () => this.#enterField(object, name, type));
      if (unsafe) return unsafe;
      if (!isMember(type, propertyOf(type, name))) continue;
      // The field goes as a whole.
      this.members.length = seen;
      values.set(name, Object.getOwnPropertyDescriptor(object, name)?.value);
    }
    if (values.size > 0) this.members.push({ object, path: [...this.#path], order: names, values });
    return undefined;
  }

  #enterField(object: object, name: string, type: Function): UnsafeInput | undefined {
    const raw: unknown = Reflect.get(object, name);
    const property = propertyOf(type, name);
    const isBoolean = !this.fault && becomesBoolean(type, property, this.#options);
    const isTyped = isPlain(raw) && !isBoolean && !this.fault;
    const unsafe = this.enter(raw, isTyped ? classOfProperty(type, property, raw) : Object);
    if (unsafe || !isBoolean) return unsafe;
    const read = readBoolean(raw);
    if (read !== unreadable) Reflect.set(object, name, read);
    else
      this.fault = { rule: 'isBoolean', message: `${property} must be a boolean value`, path: this.#names() };
    return undefined;
  }

  #at<Result>(step: string | number, inspect: () => Result): Result {
    this.#path.push(step);
    const result = inspect();
    this.#path.pop();
    return result;
  }

  #excess(value: object, fields: number): string | undefined {
    if (this.#path.length === MAX_DEPTH)
      return `the input must not be nested more than ${MAX_DEPTH} levels deep`;
    if (this.#objects > MAX_OBJECTS) return `the input must not hold more than ${MAX_OBJECTS} objects`;
    return fields > MAX_FIELDS && !Array.isArray(value)
      ? `the input must not hold more than ${MAX_FIELDS} fields in one object`
      : undefined;
  }

  #illFormed(): UnsafeInput {
    const path = this.#names();
    return {
      rule: 'isWellFormed',
      message: `${path.at(-1) ?? 'the value'} must be well-formed Unicode text`,
      path,
    };
  }

  #illFormedName(): UnsafeInput {
    const message = 'the name of a field must be well-formed Unicode text';
    return { rule: 'isWellFormed', message, path: this.#names() };
  }

  #names(): string[] {
    return this.#path.map(String);
  }
}

/**
 * Whether a value is a plain object or a list, as in JSON and query strings.
 *
 * Fastify's query objects have an empty prototype, so the end of the prototype chain is tested.
 */
function isPlain(value: unknown): value is object {
  if (!isRecord(value)) return Array.isArray(value);
  return hasPlainPrototype(value) || prototypeOf(prototypeOf(value)) === null;
}

function becomesBoolean(type: Function, property: string, options: ClassTransformOptions): boolean {
  const shape = readTransforms(type);
  const { typeFunction, reflectedType } = shape.typeOf.get(property) ?? {};
  const noted: unknown =
    options.enableImplicitConversion && Reflect.getMetadata('design:type', type.prototype, property);
  const asked: unknown = typeFunction?.length === 0 ? typeFunction() : reflectedType;
  const target = shape.typeOf.has(property) ? asked : noted;
  return target === Boolean && selectTransforms(shape, property, 'toClass', options).length === 0;
}
