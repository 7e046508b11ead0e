import type { TransformShape } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';

/** The property of an input key. */
export function propertyFor(shape: TransformShape, name: string): string {
  return shape.exposed.find((rule) => rule.name === name)?.property ?? name;
}

/** The compiler's type metadata of a property, if it applies. */
export function designType(
  type: Function | undefined,
  property: string,
  options: ClassTransformOptions,
): unknown {
  if (!options.enableImplicitConversion || !type) return undefined;
  return Reflect.getMetadata('design:type', type.prototype as object, property) as unknown;
}
