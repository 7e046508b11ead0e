import { isFunction, prototypeOf } from '../values';
import type { DeclaredType } from './storage';
import { readTransforms, type TransformShape } from './transform-shape';

/** Whether a class or an ancestor has class-transformer decorators. */
export function hasTransforms(type: unknown): boolean {
  const shape = shapeOf(type);
  return (
    shape !== undefined &&
    (shape.exposed.length + shape.excluded.length + shape.typeOf.size + shape.transformsOf.size > 0 ||
      shape.inheritedStrategy !== 'none')
  );
}

/** Whether the class itself sends only exposed properties; class-transformer does not inherit this. */
export function isClosed(type: unknown): boolean {
  return shapeOf(type)?.strategy === 'excludeAll';
}

/** Returns the property names that a class or an ancestor exposes when it is sent. */
export function exposedProperties(type: Function): string[] {
  return readTransforms(type)
    .exposed.filter(({ toClassOnly, toPlainOnly }) => !toClassOnly || toPlainOnly)
    .map(({ property }) => property);
}

/** Returns the property for an input field. The names are equal unless `@Expose({ name })` differs. */
export function propertyOf(type: Function, field: string): string {
  return readTransforms(type).exposed.find(({ name }) => name === field)?.property ?? field;
}

/** The `@Type` of a property, in the class or the nearest ancestor. */
export function typeOf(type: Function, property: string): DeclaredType | undefined {
  return readTransforms(type).typeOf.get(property)?.rule;
}

/** Returns the names of all properties with a `@Type`. */
export function typedProperties(type: unknown): Set<string> {
  return new Set(shapeOf(type)?.typeOf.keys());
}

function shapeOf(type: unknown): TransformShape | undefined {
  return isFunction(type) && type.prototype !== undefined ? readTransforms(type) : undefined;
}

/** Returns a class and its ancestors, nearest first. */
export function ancestry(type: unknown): unknown[] {
  const classes: unknown[] = [];
  for (
    let current = type;
    isFunction(current) && current.prototype !== undefined;
    current = prototypeOf(current)
  ) {
    classes.push(current);
  }
  return classes;
}
