import type { JsonSchema } from './meaning';

/** What `@Schema` says of a property. */
export interface PropertySchema {
  readonly keywords: JsonSchema;
  /** Whether answers may leave the property out. */
  readonly isOptional: boolean;
}

const said = new WeakMap<object, Map<string | symbol, PropertySchema>>();

/**
 * Says in JSON Schema what a description cannot read from a property's rules and its type: that a number is whole, that
 * null may stand there, an example. It changes nothing that is accepted or sent.
 *
 * @param keywords stand in place of those that were read, each for its own
 * @param isOptional whether answers may leave the property out
 */
export function Schema(keywords: JsonSchema, { isOptional = false } = {}): PropertyDecorator {
  return (target, property) => {
    const ofClass = said.get(target) ?? new Map<string | symbol, PropertySchema>();
    said.set(target, ofClass.set(property, Object.freeze({ keywords, isOptional })));
  };
}

/** What {@link Schema} says of a property, here or in the nearest class that is extended. */
export function schemaOf(type: Function, property: string): PropertySchema | undefined {
  for (let one: object | null = type.prototype; one !== null; one = Object.getPrototypeOf(one)) {
    const found = said.get(one)?.get(property);
    if (found) return found;
  }
  return undefined;
}
