type Options = NonNullable<Parameters<typeof vi.waitFor>[1]>;

/** A time that no healthy test reaches. Vitest's default of a second is too short for a busy machine. */
const timeout = 30_000;

// The files of a worker share its process, and so its `vi`.
if (!('isPatient' in vi)) {
  const { waitFor, waitUntil } = vi;
  Object.assign(vi, {
    isPatient: true,
    waitFor: <T>(callback: () => T | Promise<T>, options: Options = {}) =>
      waitFor(callback, withTimeout(options)),
    waitUntil: <T>(callback: () => T | Promise<T>, options: Options = {}) =>
      waitUntil(callback, withTimeout(options)),
  });
}

function withTimeout(options: Options): Options {
  return typeof options === 'number' ? options : { timeout, ...options };
}
