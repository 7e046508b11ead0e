/** Gives a temporary class the name that the libraries print: a bundler that minifies has changed it. */
export function named<Type extends Function>(name: string, type: Type): Type {
  return Object.defineProperty(type, 'name', { value: name });
}

/** The name of a class in messages and generated code. A static member or a getter may stand in its place, and throw. */
export function nameOfClass(type: Function): string {
  try {
    return String(type.name);
  } catch {
    return 'anonymous';
  }
}
