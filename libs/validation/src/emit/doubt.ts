/**
 * What may be invalid in an instance, found while it is created. Only that is validated, for the errors in
 * class-validator's form and order.
 */
export interface Doubt {
  /** Some bits per property of the plan, as its `DoubtLayout` says. The first word also has {@link UNKNOWN}. */
  readonly [word: `doubt${number}`]: number;
  /** Of nested values: {@link WHOLE} if nothing is known of one, and absent if nothing is in doubt. */
  readonly [part: `part${number}`]: PartDoubt | undefined;
}

/** Of a nested instance, or of the elements of a list, by index. */
export type PartDoubt = Doubt | readonly (readonly [index: number, doubt: Doubt])[];

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
