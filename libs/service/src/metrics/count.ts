/** A number that only grows. */
export class Count {
  value = 0;

  add(by = 1): void {
    this.value += by;
  }
}
