const NAMES_ANOTHER = /^\(?\s*([\w$]+)\s*\)?\s*=>\s*([\w$]+)(?:\.[\w$]+)*$/;

/** Whether a function ignores its arguments, because it has no parameters, or is like `type => Photo`. */
export function ignoresArguments(made: Function): boolean {
  if (made.length === 0) return true;
  const found = NAMES_ANOTHER.exec(Function.prototype.toString.call(made));
  return found !== null && found[1] !== found[2];
}
