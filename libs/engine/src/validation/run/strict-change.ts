/**
 * Changes objects in strict mode. A class is strict in every bundle, but module code loses strict mode if a bundler turns it
 * into a script.
 */
class StrictChange {
  set(object: object, name: string, value: unknown): void {
    (object as Record<string, unknown>)[name] = value;
  }

  remove(object: object, name: string): void {
    delete (object as Record<string, unknown>)[name];
  }
}

/** Changes user objects like the libraries, which throw at a frozen object, or at a getter without a setter. */
export const strictly = new StrictChange();
