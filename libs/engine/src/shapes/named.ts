/** Gives a temporary class the name that the libraries print: a bundler that minifies has changed it. */
export function named<Type extends Function>(name: string, type: Type): Type {
  return Object.defineProperty(type, 'name', { value: name });
}
