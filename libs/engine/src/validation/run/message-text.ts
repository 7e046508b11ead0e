import { isFunction, unlessThrown } from '../../shapes/values';
import type { MessageSource, ValueRule } from '../../shapes/rules/rule-shape';
import type { ValidationArguments } from 'class-validator';
import { fillIn } from './messages';
import { argumentsOf, type Declared } from './property-error';
import type { Settings } from '../plan/settings';
import { textOf, watch } from './watch';

/** Returns the message for a value. */
export type Say = (object: object, value: unknown) => string;

/** A rule's message: a fixed text, or a function if the text depends on the value. */
export type RuleMessage = { readonly always: string } | { readonly say: Say };

/** The different values that reveal whether a message depends on the value. */
const PROBES: readonly unknown[] = ['Qx', undefined, '', 'zW'.repeat(200), 7, 'aa'];

class First {}

class Other {}

/**
 * Determines a built-in rule's message.
 *
 * A message is cached if it is the same for very different values and classes, for as long as the lists in it are unchanged.
 * Arguments outside the message may change, such as the `IsEmail` options.
 */
export function ruleMessage(
  declared: Declared,
  messageSource: MessageSource | undefined,
  settings: Settings,
): RuleMessage {
  if (isFunction(declared.message))
    return {
      say: (object, value) => fillIn(declared.message as string, argumentsOf(object, value, declared)),
    };
  const wordsFor = wordsOf(declared, messageSource, settings);
  try {
    return knownMessage(declared, wordsFor);
  } catch {
    // A proxy among the arguments refuses to be looked at.
    return { say: (object, value) => sayAgain(wordsFor, argumentsOf(object, value, declared)) };
  }
}

function sayAgain(wordsFor: (args: ValidationArguments) => string, args: ValidationArguments): string {
  return fillIn(wordsFor(args), args);
}

function knownMessage(declared: Declared, wordsFor: (args: ValidationArguments) => string): RuleMessage {
  const words = alwaysSame((object, value) => wordsFor(argumentsOf(object, value, declared)));
  // A message may be a number or a symbol, which the library omits.
  if (typeof words !== 'string') return { say: sayAny(declared, wordsFor) };
  const watched = watch(namedIn(words, declared));
  const text = alwaysSame((object, value) => textOf(words, declared, object, value));
  if (text !== undefined && watched.isFixed) return { always: text };
  return { say: sayWatching(declared, words, watched) };
}

/** Returns the message for a rule with a user's validator. Its text may differ at each call. */
export function userMessage(
  { declared, builtin, messageSource }: ValueRule,
  source: MessageSource,
  settings: Settings,
): Say {
  if (!isFunction(declared.message) && (builtin !== undefined || declared.message)) {
    const message = ruleMessage(declared, messageSource, settings);
    return 'always' in message ? () => message.always : message.say;
  }
  return (object, value) => {
    const values = argumentsOf(object, value, declared);
    let text: unknown = declared.message || '';
    if (!declared.message && settings.defaultMessages && source.defaultMessage instanceof Function)
      text = source.defaultMessage(values);
    return fillIn(text as string, values);
  };
}

/** Returns the arguments that occur in the message. If an occurring argument contains placeholders, all arguments count. */
function namedIn(words: string, declared: Declared): readonly unknown[] {
  const constraints = listedArguments(declared);
  const named = constraints.filter((_, at) => words.includes(`$constraint${at + 1}`));
  return named.every((constraint) => namesNothing(constraint)) ? named : constraints;
}

/** Returns a rule's arguments, or an empty list for anything but a list, because the message then contains no arguments. */
function listedArguments({ constraints }: Declared): readonly unknown[] {
  return Array.isArray(constraints) ? constraints : [];
}

function namesNothing(constraint: unknown): boolean {
  if (Array.isArray(constraint))
    return constraint.every((element) => typeof element !== 'object' && namesNothing(element));
  return typeof constraint !== 'string' || !constraint.includes('$');
}

function wordsOf(
  declared: Declared,
  messageSource: MessageSource | undefined,
  settings: Settings,
): (args: ValidationArguments) => string {
  const { message } = declared;
  if (message || !settings.defaultMessages) return () => (message || '') as string;
  return (args) => messageSource?.defaultMessage?.(args) ?? '';
}

/** @returns the message of `say`, if it is the same for all probes */
function alwaysSame(say: Say): string | undefined {
  return unlessThrown(() => {
    const [first, ...others] = PROBES.map((value, at) => say(at % 2 ? new First() : new Other(), value));
    return others.every((text) => text === first) ? first : undefined;
  });
}

/** Creates a message that depends on the value, such as the `Length` message. Each distinct text is parsed once. */
function sayAny(declared: Declared, wordsFor: (args: ValidationArguments) => string): Say {
  const texts = new Map<string, string | undefined>();
  const { isFixed } = watch(listedArguments(declared));
  return (object, value) => {
    const args = argumentsOf(object, value, declared);
    const words = wordsFor(args);
    const text = texts.get(words);
    if (text !== undefined) return text;
    if (isFixed && !texts.has(words) && texts.size < MOST_WORDS)
      texts.set(
        words,
        alwaysSame((sample, sampleValue) => textOf(words, declared, sample, sampleValue)),
      );
    return fillIn(words, args);
  };
}

/** The most cached messages per rule, because some messages contain the value. */
const MOST_WORDS = 8;

/** Creates a message with a list. It is cached until the list changes. */
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
      kept = alwaysSame((sampleObject, sampleValue) => textOf(words, declared, sampleObject, sampleValue));
    isLookedInto = true;
    return textOf(words, declared, object, value);
  };
}
