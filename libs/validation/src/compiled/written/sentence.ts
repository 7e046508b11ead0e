import type { Speaker } from '@app/shapes';
import type { ValidationArguments } from 'class-validator';
import { fillIn } from '../instance/messages';
import type { Declared } from '../instance/property-error';
import type { Settings } from '../settings';

/** Says what is wrong with a value. */
export type Say = (object: object, value: unknown) => string;

/** What a rule says: one sentence for every value, or a function where it depends. */
export type Sentence = { readonly always: string } | { readonly say: Say };

/**
 * Finds out what a rule of the library says when it fails.
 *
 * A sentence is kept when it comes out the same for values and classes that have nothing in common, and when
 * what it names cannot change later.
 */
export function sentenceOf(declared: Declared, speaker: Speaker | undefined, settings: Settings): Sentence {
  const say = sayer(declared, speaker, settings);
  if (typeof declared.message === 'function' || !(declared.constraints ?? []).every(isPrimitive))
    return { say };
  try {
    const [one = '', ...others] = PROBES.map((value, at) => say(at % 2 ? new First() : new Other(), value));
    return others.every((other) => other === one) ? { always: one } : { say };
  } catch {
    return { say };
  }
}

/** Values that have nothing in common, for sentences that depend on theirs. */
const PROBES: readonly unknown[] = ['Qx', undefined, '', 'zW'.repeat(200), 7, 'Qx', 'aa'];

class First {}

class Other {}

function isPrimitive(value: unknown): boolean {
  return (typeof value !== 'object' && typeof value !== 'function') || value === null;
}

function sayer(declared: Declared, speaker: Speaker | undefined, settings: Settings): Say {
  const given = (object: object, value: unknown): ValidationArguments => ({
    targetName: (object.constructor ? object.constructor.name : undefined) as string,
    property: declared.propertyName,
    object,
    value,
    constraints: declared.constraints as unknown[],
  });
  if (declared.message || !settings.defaultMessages || !speaker?.defaultMessage)
    return (object, value) => fillIn((declared.message || '') as string, given(object, value));
  return remembering(declared, (object, value) => {
    const told = given(object, value);
    return [speaker.defaultMessage?.(told) as string, told];
  });
}

/** Filling in is slow; the last sentence is kept as long as its words and what they name stay the same. */
function remembering(
  declared: Declared,
  ask: (object: object, value: unknown) => [string, ValidationArguments],
): Say {
  let lastKey: string | undefined;
  let last = '';
  return (object, value) => {
    const [words, told] = ask(object, value);
    if (/\$(?:value|target)/.test(words)) return fillIn(words, told);
    const key = `${words}\0${(declared.constraints ?? []).map(shown).join('\0')}`;
    if (key !== lastKey) {
      const text = fillIn(words, told);
      if (/\$/.test(key.slice(words.length))) return text;
      lastKey = key;
      last = text;
    }
    return last;
  };
}

function shown(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
