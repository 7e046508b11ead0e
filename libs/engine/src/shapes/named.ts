/** Gives a temporary class the name that the libraries print, because a minifying bundler changes it. */
export function named<Type extends Function>(name: string, type: Type): Type {
  return Object.defineProperty(type, 'name', { value: name });
}

/** Returns the name of a class for messages and generated code. A static member or a getter may take its place, and throw. */
export function nameOfClass(type: Function): string {
  try {
    return String(type.name);
  } catch {
    return 'anonymous';
  }
}
