const NAMES_ANOTHER = /^\(?\s*([\w$]+)\s*\)?\s*=>\s*([\w$]+)(?:\.[\w$]+)*$/;

/** Whether a function ignores its arguments, because it has no parameters, or is like `type => Photo`. */
export function ignoresArguments(callback: Function): boolean {
  if (callback.length === 0) return true;
  const match = NAMES_ANOTHER.exec(Function.prototype.toString.call(callback));
  return match !== null && match[1] !== match[2];
}
