/** Whether a value is an object, including a list but not a function. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object, and neither a list nor a function. */
export function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value);
}

/** Whether a value is an object with a `then` method. `await` calls this method even if the value is not a native promise. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && 'then' in value && isFunction(value.then);
}

/** Whether a value is a function or a class. */
export function isFunction(value: unknown): value is Function {
  return typeof value === 'function';
}

/** Returns the prototype of a value. */
export function prototypeOf(value: unknown): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** Whether a value is an object with the prototype of object literals, or without a prototype. */
export function hasPlainPrototype(value: object): boolean {
  const prototype = prototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Creates a value from a result, or from the result of a promise. */
export function andThen<Result, Next>(
  result: Result | Promise<Result>,
  make: (result: Result) => Next,
): Next | Promise<Next> {
  return result instanceof Promise ? result.then(make) : make(result);
}

/** Returns the result of a function, or `undefined` if it throws. */
export function unlessThrown<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Returns the value for a key. A missing value is created, and kept. */
export function keptIn<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  const kept = map.get(key);
  if (kept !== undefined) return kept;
  const created = create();
  map.set(key, created);
  return created;
}
