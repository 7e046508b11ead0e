/** An input's class. */
export type Input = new () => object;

/** Declares class properties by calling decorators in reverse order, like compilers. */
export function declare(type: Input, properties: Record<PropertyKey, PropertyDecorator[]>): Input {
  for (const name of Reflect.ownKeys(properties))
    for (const decorate of properties[name as string]!.toReversed()) decorate(type.prototype as object, name);
  return type;
}
