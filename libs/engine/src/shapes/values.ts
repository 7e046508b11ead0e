/** Whether a value is an object, including a list but not a function. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with a `then` method. `await` calls this method even if the value is not a native promise. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && 'then' in value && typeof value.then === 'function';
}
