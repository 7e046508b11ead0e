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
  const watched = watch(declared.constraints ?? []);
  if (words === undefined) return { say: sayAny(declared, wordsFor) };
  const text = alwaysSame((object, value) => fillIn(words, argumentsOf(object, value, declared)));
  if (text !== undefined && (watched.isFixed || !words.includes('$constraint'))) return { always: text };
  return { say: sayWatching(declared, words, watched) };
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

/** For words that depend on the value, as those of `Length`: each is filled in once. */
function sayAny(declared: Declared, wordsFor: (given: ValidationArguments) => string): Say {
  const known = new Map<string, string>();
  const isFixed = watch(declared.constraints ?? []).isFixed;
  return (object, value) => {
    const given = argumentsOf(object, value, declared);
    const words = wordsFor(given);
    const found = known.get(words);
    if (found !== undefined) return found;
    const text = fillIn(words, given);
    const isSame = alwaysSame((one, other) => fillIn(words, argumentsOf(one, other, declared))) === text;
    if (isFixed && isSame) known.set(words, text);
    return text;
  };
}

/** For words that name a list: the sentence is kept until the list is another. */
function sayWatching(declared: Declared, words: string, watched: ReturnType<typeof watch>): Say {
  let kept: string | undefined;
  return (object, value) => {
    if (!watched.isUnchanged()) kept = undefined;
    if (kept !== undefined) return kept;
    const text = textOf(words, declared, object, value);
    kept = watched.isWatched ? alwaysSame((one, other) => textOf(words, declared, one, other)) : undefined;
    return text;
  };
}
