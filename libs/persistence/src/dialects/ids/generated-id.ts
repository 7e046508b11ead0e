/** A parameter that yields a new id each time it is bound, so that a statement compiled once inserts many rows. */
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
