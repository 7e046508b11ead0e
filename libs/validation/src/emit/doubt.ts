/**
 * What may be invalid in an instance, found while it is created. Only that is validated, for the errors in
 * class-validator's form and order.
 */
export interface Doubt {
  /** Some bits per property of the plan, as its `DoubtLayout` says. The first word also has {@link UNKNOWN}. */
  readonly [word: `doubt${number}`]: number;
  /** The fields that a whitelist does not know, in their order, if they are listed. */
  readonly unknown?: readonly string[] | undefined;
  /** Of nested values: {@link WHOLE} if nothing is known of one, and absent if nothing is in doubt. */
  readonly [part: `part${number}`]: PartDoubt | undefined;
}

/** Of a nested instance, or of the elements of a list: an index, its doubt, the next index, and so on. */
export type PartDoubt = Doubt | readonly (number | Doubt)[];

/** Whether a doubt is of the elements of a list. */
export function isOfList(doubt: PartDoubt): doubt is Exclude<PartDoubt, Doubt> {
  return Array.isArray(doubt);
}

/** The number of bits per word. */
export const WORD_BITS = 30;

/** The bit for fields that a whitelist does not know. */
export const UNKNOWN = 1 << WORD_BITS;

/** The value has to be validated completely. */
export const WHOLE: Doubt = {};

/** Nothing is in doubt; what cannot be tested during creation is validated nevertheless. */
export const NONE: Doubt = {};
