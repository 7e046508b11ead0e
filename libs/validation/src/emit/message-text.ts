import type { Speaker } from '@app/shapes';
import type { ValidationArguments } from 'class-validator';
import { fillIn } from './messages';
import { argumentsOf, type Declared } from './property-error';
import type { Settings } from '../plan/settings';
import { textOf, watch } from './watch';

/** Says what is wrong with a value. */
export type Say = (object: object, value: unknown) => string;

/** What a rule says: one sentence for every value, or a function where it depends. */
export type Sentence = { readonly always: string } | { readonly say: Say };

/** Values that have nothing in common, for sentences that depend on theirs. */
const PROBES: readonly unknown[] = ['Qx', undefined, '', 'zW'.repeat(200), 7, 'aa'];

class First {}

class Other {}

/**
 * Finds out what a rule of the library says when it fails.
 *
 * A sentence is kept when it comes out the same for values and classes that have nothing in common, and as long as the
 * lists it names stay what they were. What it does not name may change: the options of `IsEmail` stand in no sentence.
 */
export function sentenceOf(declared: Declared, speaker: Speaker | undefined, settings: Settings): Sentence {
  if (typeof declared.message === 'function')
    return {
      say: (object, value) => fillIn(declared.message as string, argumentsOf(object, value, declared)),
    };
  const wordsFor = wordsOf(declared, speaker, settings);
  const words = alwaysSame((object, value) => wordsFor(argumentsOf(object, value, declared)));
  if (words === undefined) return { say: sayAny(declared, wordsFor) };
  const watched = watch(namedIn(words, declared));
  const text = alwaysSame((object, value) => textOf(words, declared, object, value));
  if (text !== undefined && watched.isFixed) return { always: text };
  return { say: sayWatching(declared, words, watched) };
}

/** The arguments of a decorator that its words name. The text of one may name others: then all count. */
function namedIn(words: string, { constraints = [] }: Declared): readonly unknown[] {
  const named = constraints.filter((_, at) => words.includes(`$constraint${at + 1}`));
  return named.every((one) => namesNothing(one)) ? named : constraints;
}

function namesNothing(constraint: unknown): boolean {
  if (Array.isArray(constraint))
    return constraint.every((one) => typeof one !== 'object' && namesNothing(one));
  return typeof constraint !== 'string' || !constraint.includes('$');
}

function wordsOf(
  declared: Declared,
  speaker: Speaker | undefined,
  settings: Settings,
): (given: ValidationArguments) => string {
  const { message } = declared;
  if (message || !settings.defaultMessages) return () => (message || '') as string;
  return (given) => speaker?.defaultMessage?.(given) ?? '';
}

/** @returns what `say` says of every probe, if that is one thing */
function alwaysSame(say: Say): string | undefined {
  try {
    const [one, ...others] = PROBES.map((value, at) => say(at % 2 ? new First() : new Other(), value));
    return others.every((other) => other === one) ? one : undefined;
  } catch {
    return undefined;
  }
}

/** For words that depend on the value, as those of `Length`: each is looked into once. */
function sayAny(declared: Declared, wordsFor: (given: ValidationArguments) => string): Say {
  const known = new Map<string, string | undefined>();
  const isFixed = watch(declared.constraints ?? []).isFixed;
  return (object, value) => {
    const given = argumentsOf(object, value, declared);
    const words = wordsFor(given);
    const found = known.get(words);
    if (found !== undefined) return found;
    if (isFixed && !known.has(words) && known.size < MOST_WORDS)
      known.set(
        words,
        alwaysSame((one, other) => textOf(words, declared, one, other)),
      );
    return fillIn(words, given);
  };
}

/** Words of one rule that are remembered: some have the value in them. */
const MOST_WORDS = 8;

/** For words that name a list: the sentence is kept until the list is another. */
function sayWatching(declared: Declared, words: string, watched: ReturnType<typeof watch>): Say {
  let kept: string | undefined;
  let isLookedInto = false;
  return (object, value) => {
    if (!watched.isUnchanged()) {
      kept = undefined;
      isLookedInto = false;
    }
    if (kept !== undefined) return kept;
    if (watched.isWatched && !isLookedInto)
      kept = alwaysSame((one, other) => textOf(words, declared, one, other));
    isLookedInto = true;
    return textOf(words, declared, object, value);
  };
}
