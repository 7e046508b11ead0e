import type { ClassTransformOptions } from 'class-transformer';

/** Returns the compiler's type metadata for a property, if it applies. */
export function designType(
  type: Function | undefined,
  property: string,
  options: ClassTransformOptions,
): unknown {
  if (!options.enableImplicitConversion || !type) return undefined;
  return Reflect.getMetadata('design:type', type.prototype as object, property) as unknown;
}
