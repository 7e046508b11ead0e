/**
 * A fault in what a class or a route declares, found before the first request. Every library finds those of its own
 * subject; a program tells all of them at once.
 */
export interface Finding {
  /** Stable and documented, such as `SLUICE-C105`. */
  readonly code: string;
  /** What is wrong: a sentence, without its full stop. */
  readonly problem: string;
  /** What mends it: a sentence in the imperative, without its full stop. */
  readonly remedy: string;
  /** What is to be mended, where that is a class and not the handler. */
  readonly place?: FindingPlace;
}

/** A class, or one of its members. */
export interface FindingPlace {
  readonly type: Function;
  readonly member?: string;
}
