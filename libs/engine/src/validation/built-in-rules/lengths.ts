import { code } from '../../shapes/code/code';
import { rule } from './rule';

export const lengthRules = [
  rule({
    name: 'MinLength',
    arguments: ['min'],
    takes: 'text',
    bounds: ['lower'],
    throws: false,
    keywords: (least: number) => ({ type: 'string', minLength: least }),
    test: ([least]) =>
      isCount(least) ? (value) => typeof value === 'string' && isAtLeast(value, least) : undefined,
    emit: (value, scope, [least]) =>
      code`(typeof ${value} === 'string' && (${value}.length >= ${certainLength(Number(least))} || ${scope.hoist(isAtLeast, 'isAtLeast')}(${value}, ${least})))`,
  }),
  rule({
    name: 'MaxLength',
    arguments: ['max'],
    takes: 'text',
    bounds: ['upper'],
    throws: false,
    keywords: (most: number) => ({ type: 'string', maxLength: most }),
    test: ([most]) =>
      isCount(most) ? (value) => typeof value === 'string' && isAtMost(value, most) : undefined,
    emit: (value, scope, [most]) =>
      code`(typeof ${value} === 'string' && (${value}.length <= ${most} || ${scope.hoist(isAtMost, 'isAtMost')}(${value}, ${most})))`,
  }),
  rule({
    name: 'Length',
    key: 'isLength',
    arguments: ['min', 'max'],
    takes: 'text',
    bounds: ['lower', 'upper'],
    throws: false,
    keywords: (least: number, most?: number) => ({
      type: 'string',
      minLength: least,
      ...(most !== undefined && { maxLength: most }),
    }),
    test: ([least, most]) => {
      if (!isCount(least) || !(most === undefined || isCount(most))) return undefined;
      return (value) =>
        typeof value === 'string' && isAtLeast(value, least) && (most === undefined || isAtMost(value, most));
    },
  }),
  rule({ name: 'IsByteLength', arguments: ['min', 'max'], takes: 'text' }),
];

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

const FIRST_SURROGATE = 0xd800;

/**
 * Whether a text has at least `least` characters, counted like validator.js: a surrogate pair is a single character, and a
 * variation selector belongs to the character before it. Each further code unit adds at most 1, so counting stops as soon as
 * there are enough.
 */
function isAtLeast(text: string, least: number): boolean {
  if (text.length < least) return false;
  if (text.length >= certainLength(least)) return true;
  for (let at = 0; at < least; at++)
    if (text.charCodeAt(at) >= FIRST_SURROGATE) return countUpTo(text, least) >= least;
  return true;
}

/** Returns the string length that guarantees at least `least` characters. */
function certainLength(least: number): number {
  return least <= 1 ? least : 3 * least;
}

function isAtMost(text: string, most: number): boolean {
  return text.length <= most || countUpTo(text, most + 1) <= most;
}

function countUpTo(text: string, enough: number): number {
  let count = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < FIRST_SURROGATE || !isCountedBefore(before, unit, at)) count += 1;
    if (count >= enough) return count;
    before = unit;
  }
  return count;
}

/**
 * Whether a code unit belongs to the previous character: the second half of a pair, or a selector after a character that is not
 * a selector.
 */
function isCountedBefore(before: number, unit: number, at: number): boolean {
  if (isSelector(unit)) return at > 0 && !isSelector(before);
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

function isSelector(unit: number): boolean {
  return unit === 0xfe0f || unit === 0xfe0e;
}
