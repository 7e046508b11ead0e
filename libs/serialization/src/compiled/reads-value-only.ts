const VALUE_ONLY = /^\(\{\s*value\s*(?::\s*[\w$]+\s*)?,?\s*\}\)\s*=>/;

/** Whether a transform is an arrow function that takes nothing but the value out of what it is given. */
export function readsValueOnly(transform: Function): boolean {
  return VALUE_ONLY.test(Function.prototype.toString.call(transform));
}
