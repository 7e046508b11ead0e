import type { TypeHelpOptions } from 'class-transformer';
import { exposedProperties, typedProperties, typeOf, type WireClass } from './declared-rules';

/**
 * Makes an instance of a wire class from what a store or a handler returned: a row, a plain object, an instance of
 * another class. Properties keep their names, and those with a `@Type` become instances in turn.
 *
 * `plainToInstance` is for input: it would run transforms that are then run again on the way out, and looks for wire
 * names (`@Expose({ name })`) where a row has property names.
 *
 * @returns `source` itself when it is, through and through, what was asked for
 */
export function asInstance<T extends object>(type: WireClass<T>, source: object): T {
  if (Object.getPrototypeOf(source) === type.prototype) return withTypedParts(type, source as T);
  const instance = new type();
  for (const property of new Set([...Object.keys(source), ...exposedProperties(type)])) {
    if (property in source && isField(instance, property)) {
      Reflect.set(instance, property, typedPart(type, instance, source, property));
    }
  }
  return instance;
}

/** The handler's own instance is never written to; a copy takes its place where a part had to be made. */
function withTypedParts<T extends object>(type: WireClass<T>, instance: T): T {
  const changed: Record<string, unknown> = {};
  for (const property of typedProperties(type)) {
    const part = typedPart(type, instance, instance, property);
    if (part !== Reflect.get(instance, property)) changed[property] = part;
  }
  if (Object.keys(changed).length === 0) return instance;
  return Object.assign(Object.create(type.prototype as object) as T, instance, changed);
}

function typedPart(type: WireClass, newObject: object, object: object, property: string): unknown {
  const value: unknown = Reflect.get(object, property);
  const declared = typeOf(type, property);
  if (declared === undefined || typeof value !== 'object' || value === null) return value;
  const fallback = declared.typeFunction?.({ newObject, object, property } as TypeHelpOptions);
  const make = (part: unknown) => toPart(part, subTypeOf(part, declared.options?.discriminator) ?? fallback);
  if (!Array.isArray(value)) return make(value);
  const parts = value.map(make);
  return parts.every((part, index) => part === value[index]) ? value : parts;
}

type Discriminator = NonNullable<NonNullable<ReturnType<typeof typeOf>>['options']>['discriminator'];

function subTypeOf(part: unknown, discriminator: Discriminator): unknown {
  if (discriminator === undefined || typeof part !== 'object' || part === null) return undefined;
  const { property, subTypes } = discriminator;
  const name: unknown = Reflect.get(part, property);
  return subTypes.find((one) => one.value === part.constructor || one.name === name)?.value;
}

const builtIns = new Set<unknown>([String, Number, Boolean, Date, Buffer, Object, Array, Map, Set]);

function toPart(part: unknown, type: unknown): unknown {
  const isWireClass = typeof type === 'function' && !builtIns.has(type);
  return isWireClass && typeof part === 'object' && part !== null
    ? asInstance(type as WireClass, part)
    : part;
}

/** Methods and getters of the class are its own: a row cannot replace them. */
function isField(instance: object, property: string): boolean {
  for (let one: object | null = instance; one !== null; one = Object.getPrototypeOf(one) as object | null) {
    const found = Object.getOwnPropertyDescriptor(one, property);
    if (found) return found.set !== undefined || ('value' in found && typeof found.value !== 'function');
  }
  return true;
}
