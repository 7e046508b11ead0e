/** A class, since its code is strict in every bundle: that of a module is not after a bundler made a script of it. */
class StrictChange {
  set(object: object, name: string, value: unknown): void {
    (object as Record<string, unknown>)[name] = value;
  }

  remove(object: object, name: string): void {
    delete (object as Record<string, unknown>)[name];
  }
}

/** Changes objects of a user as the libraries do, which throw at a frozen object, or at a getter without a setter. */
export const strictly = new StrictChange();
