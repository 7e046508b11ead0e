import { exposedProperties, typedProperties, typeOf } from '../../../src/shapes/transforms/declared-rules';
import type { DeclaredType } from '../../../src/shapes/transforms/storage';
import { isObject } from '../../../src/shapes/values';
import type { WireClass } from '../../../src/serialization/plan/wire-class.ts';

/**
 * The reference for `toInstance`. It gives the same result without plans and always through an instance, and reads the
 * class-transformer storage again for each property of each value.
 */
export function referenceInstance(type: WireClass, source: object): object {
  if (Reflect.getPrototypeOf(source) === type.prototype) return withTypedParts(type, source);
  const instance = new type();
  for (const property of new Set([...Object.keys(source), ...exposedProperties(type)])) {
    if (property in source && isField(instance, property)) {
      Reflect.set(instance, property, typedPart(type, instance, source, property));
    }
  }
  return instance;
}

/** Converts the typed parts. The handler's own instance is never changed; it is copied if a part has to be converted. */
function withTypedParts(type: WireClass, instance: object): object {
  const changed: Record<string, unknown> = {};
  for (const property of typedProperties(type)) {
    const part = typedPart(type, instance, instance, property);
    if (part !== Reflect.get(instance, property)) changed[property] = part;
  }
  if (Object.keys(changed).length === 0) return instance;
  return Object.assign(Object.create(type.prototype), instance, changed);
}

function typedPart(type: WireClass, newObject: object, object: object, property: string): unknown {
  const value: unknown = Reflect.get(object, property);
  const declared = typeOf(type, property);
  if (declared === undefined || !isObject(value) || value instanceof Map || value instanceof Set)
    return value;
  const asked = declared.typeFunction?.({ newObject, object, property }) ?? declared.reflectedType;
  const make = (part: unknown) => toPart(part, subTypeOf(part, declared) ?? asked);
  if (!Array.isArray(value)) return make(value);
  const parts = value.map(make);
  return parts.every((part, index) => part === value[index]) ? value : parts;
}

function subTypeOf(part: unknown, { options }: DeclaredType): unknown {
  const discriminator = options?.discriminator;
  if (discriminator === undefined || !isObject(part)) return undefined;
  const name: unknown = Reflect.get(part, discriminator.property);
  return discriminator.subTypes.find((subType) => subType.value === part.constructor || subType.name === name)
    ?.value;
}

function toPart(part: unknown, type: unknown): unknown {
  return isWireClass(type) && isObject(part) ? referenceInstance(type, part) : part;
}

const builtIns = new Set<unknown>([String, Number, Boolean, Date, Buffer, Object, Array, Map, Set]);

function isWireClass(type: unknown): type is WireClass {
  return typeof type === 'function' && !builtIns.has(type);
}

/** Whether a row may set the property, since class methods, getters and the prototype cannot be replaced. */
function isField(instance: object, property: string): boolean {
  if (property === '__proto__') return false;
  for (let current: object | null = instance; current !== null; current = Reflect.getPrototypeOf(current)) {
    const descriptor = Object.getOwnPropertyDescriptor(current, property);
    if (descriptor)
      return (
        descriptor.set !== undefined || ('value' in descriptor && typeof descriptor.value !== 'function')
      );
  }
  return true;
}
