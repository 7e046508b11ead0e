/** A class of an input. */
export type Input = new () => object;

/** Declares properties of a class by calling decorators, the last first, as compilers do. */
export function declare(type: Input, properties: Record<PropertyKey, PropertyDecorator[]>): Input {
  for (const name of Reflect.ownKeys(properties))
    for (const decorate of properties[name as string]!.toReversed()) decorate(type.prototype as object, name);
  return type;
}
