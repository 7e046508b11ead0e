import type { JsonSchema } from '@app/engine';

/** The `@Schema` of a property. */
export interface PropertySchema {
  readonly keywords: JsonSchema;
  /** Whether responses may omit the property. */
  readonly isOptional: boolean;
}

const schemas = new WeakMap<object, Map<string | symbol, PropertySchema>>();

/**
 * Declares JSON Schema keywords that cannot be derived from a property's rules and type: integer numbers, null, an example. The
 * accepted and sent values stay the same.
 *
 * @param keywords override the derived keywords with the same names
 * @param isOptional whether responses may omit the property
 */
export function Schema(keywords: JsonSchema, { isOptional = false } = {}): PropertyDecorator {
  return (target, property) => {
    const ofClass = schemas.get(target) ?? new Map<string | symbol, PropertySchema>();
    schemas.set(target, ofClass.set(property, Object.freeze({ keywords, isOptional })));
  };
}

/** The {@link Schema} of a property, here or in the nearest ancestor. */
export function schemaOf(type: Function, property: string): PropertySchema | undefined {
  for (
    let prototype: object | null = type.prototype;
    prototype !== null;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    const schema = schemas.get(prototype)?.get(property);
    if (schema) return schema;
  }
  return undefined;
}
