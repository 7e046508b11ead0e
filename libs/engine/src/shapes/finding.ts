/**
 * A declaration fault in a class or a route, found before the first request. Every library finds the faults in its own subject,
 * and a program reports all faults at once.
 */
export interface Finding {
  /** A stable, documented code, such as `SLUICE-C105`. */
  readonly code: string;
  /** The problem: a sentence, without its full stop. */
  readonly problem: string;
  /** The remedy: a sentence in the imperative, without its full stop. */
  readonly remedy: string;
  /** The class or member where the remedy applies, if it is not the handler. */
  readonly place?: FindingPlace;
}

/** A class, or a class member. */
export interface FindingPlace {
  readonly type: Function;
  readonly member?: string;
}
