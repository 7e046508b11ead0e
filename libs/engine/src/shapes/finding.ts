/**
 * A fault in the declarations of a class or a route, found before the first request. Every library finds those of its
 * own subject; a program reports all of them at once.
 */
export interface Finding {
  /** Stable and documented, such as `SLUICE-C105`. */
  readonly code: string;
  /** The problem: a sentence, without its full stop. */
  readonly problem: string;
  /** The remedy: a sentence in the imperative, without its full stop. */
  readonly remedy: string;
  /** Where to apply the remedy, if that is a class and not the handler. */
  readonly place?: FindingPlace;
}

/** A class, or one of its members. */
export interface FindingPlace {
  readonly type: Function;
  readonly member?: string;
}
