import type { DeclaredType } from './storage';
import { readTransforms, type TransformShape } from './transform-shape';

/** Whether a class or one of its ancestors has decorators of class-transformer. */
export function hasTransforms(type: unknown): boolean {
  const shape = shapeOf(type);
  return (
    shape !== undefined &&
    (shape.exposed.length + shape.excluded.length + shape.typeOf.size + shape.transformsOf.size > 0 ||
      shape.inheritedStrategy !== 'none')
  );
}

/** Whether the class itself sends exposed properties only; class-transformer does not inherit this. */
export function isClosed(type: unknown): boolean {
  return shapeOf(type)?.strategy === 'excludeAll';
}

/** The names of the properties that a class or one of its ancestors exposes when it is sent. */
export function exposedProperties(type: Function): string[] {
  return readTransforms(type)
    .exposed.filter(({ toClassOnly, toPlainOnly }) => !toClassOnly || toPlainOnly)
    .map(({ property }) => property);
}

/** The property of an input field: its own name, unless `@Expose({ name })` has another. */
export function propertyOf(type: Function, field: string): string {
  return readTransforms(type).exposed.find(({ name }) => name === field)?.property ?? field;
}

/** The `@Type` of a property, in the class or the nearest ancestor. */
export function typeOf(type: Function, property: string): DeclaredType | undefined {
  return readTransforms(type).typeOf.get(property)?.rule;
}

/** The names of all properties with a `@Type`. */
export function typedProperties(type: unknown): Set<string> {
  return new Set(shapeOf(type)?.typeOf.keys());
}

function shapeOf(type: unknown): TransformShape | undefined {
  return typeof type === 'function' && type.prototype !== undefined ? readTransforms(type) : undefined;
}

/** A class and its ancestors, nearest first. */
export function ancestry(type: unknown): unknown[] {
  const classes: unknown[] = [];
  for (
    let one = type;
    typeof one === 'function' && one.prototype !== undefined;
    one = Object.getPrototypeOf(one)
  ) {
    classes.push(one);
  }
  return classes;
}
