import { needsReference } from './text/json-text';

/**
 * The objects that are being written, from the outermost in, for `enableCircularCheck`.
 *
 * class-transformer leaves out what leads back to one of them; where something does, it is class-transformer that writes
 * the whole value.
 */
export class Path {
  private objects = new Set<unknown>();

  /** Makes something of a value of its own, be it in the middle of another. */
  around<Made>(make: () => Made): Made {
    const outer = this.objects;
    this.objects = new Set();
    try {
      return make();
    } finally {
      this.objects = outer;
    }
  }

  /** @throws needsReference for an object that is being written */
  assertNotOpen(value: unknown): void {
    if (this.objects.has(value)) throw needsReference;
  }

  enter(value: object): void {
    this.assertNotOpen(value);
    this.objects.add(value);
  }

  leave(value: object): void {
    this.objects.delete(value);
  }
}
