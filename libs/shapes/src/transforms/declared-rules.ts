import { type DeclaredType, declaredTypes, storage, storedRules } from './storage';

/** Whether a class or one of its ancestors has decorators of class-transformer. */
export function hasTransforms(type: unknown): boolean {
  return ancestry(type).some((one) => storedRules.some((book) => book.has(one)));
}

/** Whether the class itself sends exposed properties only; class-transformer does not inherit this. */
export function isClosed(type: unknown): boolean {
  return typeof type === 'function' && storage.getStrategy(type) === 'excludeAll';
}

/** The names of the properties that a class or one of its ancestors exposes when it is sent. */
export function exposedProperties(type: Function): string[] {
  return storage
    .getExposedMetadatas(type)
    .filter(({ options }) => !options?.toClassOnly || options.toPlainOnly)
    .map(({ propertyName }) => propertyName);
}

/** The property of an input field: its own name, unless `@Expose({ name })` has another. */
export function propertyOf(type: Function, field: string): string {
  const exposed = storage.getExposedMetadatas(type).find(({ options }) => options?.name === field);
  return exposed?.propertyName ?? field;
}

/** The `@Type` of a property, in the class or the nearest ancestor. */
export function typeOf(type: Function, property: string): DeclaredType | undefined {
  return storage.findTypeMetadata(type, property);
}

/** The names of all properties with a `@Type`. */
export function typedProperties(type: unknown): Set<string> {
  const names = new Set<string>();
  for (const one of ancestry(type)) {
    for (const name of declaredTypes.get(one)?.keys() ?? []) if (name !== undefined) names.add(name);
  }
  return names;
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
