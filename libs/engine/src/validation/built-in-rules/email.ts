import { prototypeOf } from '../../shapes/values';
import { isEmail as libraryIsEmail } from 'class-validator';
import type { Predicate, RuleTest } from './rule';

/** The character kinds, in the column order of {@link STEPS}. Quotes and characters outside printable ASCII belong to no kind. */
const KINDS = [/[A-Za-z]/, /\d/, /[!#-'*+/=?^-`{-~]/, /-/, /\./, /@/, /[ (),:-<>[-\]]/];

/**
 * An automaton that is equivalent to validator.js's rules for strings in which every part is short enough. For each state, it
 * gives the next state after each character kind. Before its only `@`, an address has atoms between dots. After the `@`, it has
 * labels made from letters, digits and hyphens, with a letter or digit at both ends, and a top level with at least two letters.
 */
const STEPS = [
  '0000000', // no address
  '2222000', // an atom has to begin
  '2222130', // in an atom
  '4400000', // a label has to begin
  '4405600', // in the first label
  '4405000', // after a hyphen in it
  '7a00000', // a further label has to begin
  '9a08600', // after its first letter
  'aa08000', // after a hyphen in it
  '9a08600', // in what may be a top level
  'aa08600', // in what is a top level only after `xn`
];
const VALID = 9 << 7;
const UNDECIDED = 10 << 7;

/** Returns the table with the next state by state, in steps of 128, and character. */
function nextStates(): Uint16Array {
  const next = new Uint16Array(12 << 7).fill(11 << 7);
  STEPS.forEach((steps, state) =>
    KINDS.forEach((kind, column) => {
      for (let unit = 0; unit < 128; unit++)
        if (kind.test(String.fromCharCode(unit)))
          next[(state << 7) | unit] = Number.parseInt(steps[column]!, 16) << 7;
    }),
  );
  return next;
}

/** The string length up to which every part is short enough. */
const LONGEST_USUAL = 64;

/** @returns the last state; {@link UNDECIDED} or more if the library has to decide */
function read(text: string, next: Uint16Array): number {
  if (text.length > LONGEST_USUAL) return UNDECIDED;
  let state = 1 << 7;
  let units = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units |= unit;
    state = next[state | (unit & 127)]!;
  }
  return units < 128 ? state : UNDECIDED;
}

let isAddress: Predicate | undefined;

/** Creates the test. It is created for the first rule, because building the table takes a while. */
function addressTest(): Predicate {
  const next = nextStates();
  return (value) => {
    if (typeof value !== 'string') return false;
    const state = read(value, next);
    return state === VALID || (state >= UNDECIDED && libraryIsEmail(value));
  };
}

/** The e-mail rule. If the decorator has options other than the defaults, the library decides. */
export const emailTest: RuleTest = {
  throws: true,
  test: ([options]) =>
    areDefault(options)
      ? (isAddress ??= addressTest())
      : (value) => libraryIsEmail(value, options as undefined),
};

/** Whether options are the library's defaults. It writes them into the decorator's own options at the first value. */
function areDefault(options: unknown): boolean {
  if (options === undefined) return true;
  if (prototypeOf(options ?? 0) !== Object.prototype || !Object.isExtensible(options)) return false;
  const defaults: Record<string, unknown> = {};
  libraryIsEmail('', defaults);
  const own = Object.getOwnPropertyDescriptors(options as Record<string, unknown>);
  return Reflect.ownKeys(own).every(
    (name) => Object.hasOwn(defaults, name) && own[name as string]!.value === defaults[name as string],
  );
}
