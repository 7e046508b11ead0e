/**
 * Runs `around` in place of a method during the tests of the current `describe`.
 *
 * @param around calls `proceed` to run the method itself
 */
export function intercept<Call extends unknown[]>(
  prototype: object,
  method: string,
  around: (proceed: () => unknown, self: unknown, ...call: Call) => unknown,
): void {
  const original: (...call: Call) => unknown = Reflect.get(prototype, method);
  const intercepted = function (this: unknown, ...call: Call): unknown {
    return around(() => Reflect.apply(original, this, call), this, ...call);
  };
  beforeAll(() => void Reflect.set(prototype, method, intercepted));
  afterAll(() => void Reflect.set(prototype, method, original));
}
