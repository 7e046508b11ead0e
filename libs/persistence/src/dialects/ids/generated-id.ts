/** A parameter that is another id each time it is bound: a statement that is compiled once inserts many rows. */
export class GeneratedId {
  private readonly ids: { next(): number };

  constructor(ids: { next(): number }) {
    this.ids = ids;
  }

  /** @throws {StoreUnavailableError} if no ids are reserved */
  next(): number {
    return this.ids.next();
  }
}
