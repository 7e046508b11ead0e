import { code } from '@app/shapes';
import { isEmail as libraryIsEmail } from 'class-validator';
import { leaf, type Predicate } from './rule';

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const TOP_LEVEL = '(?:[A-Za-z]{2,63}|[Xx][Nn][A-Za-z0-9-]{1,60}[A-Za-z0-9])';

/**
 * What validator.js's rules amount to for ASCII strings without a quoted local part: at most 64 characters before the
 * only `@`; atoms between dots; labels of 1 to 63 letters, digits and hyphens, none at an end; a top level of two letters
 * or more, or `xn` and two more.
 */
const ADDRESS = new RegExp(String.raw`^(?=[^@]{1,64}@)${ATOM}(?:\.${ATOM})*@(?:${LABEL}\.)+${TOP_LEVEL}$`);

const LONGEST = 254;

/** An opening quote, or a character that is not printable ASCII. */
const UNUSUAL = /^"|[^ -~]/;

/** @returns `undefined` for strings that validator.js validates, with its exceptions */
function decide(text: string): boolean | undefined {
  if (text.length > LONGEST) return false;
  if (ADDRESS.test(text)) return true;
  return UNUSUAL.test(text) ? undefined : false;
}

/** In a string of so many characters, no part can be too long. */
const LONGEST_USUAL = 64;

/**
 * Addresses that are certainly valid: atoms between dots, labels with letters or digits between hyphens and dots, and a
 * top level of letters. On different strings it takes four fifths of the time of a loop over the characters.
 */
const USUAL = /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*\.[A-Za-z]{2,}$/;

function isUsual(text: string): boolean {
  return text.length <= LONGEST_USUAL && USUAL.test(text);
}

const isAddress: Predicate = (value) => typeof value === 'string' && (decide(value) ?? libraryIsEmail(value));

/** Without options; with any, the library decides. */
export const isEmail = leaf({
  name: 'IsEmail',
  throws: true,
  test: ([options]) =>
    isWithout(options)
      ? (value) => (typeof value === 'string' && isUsual(value)) || isAddress(value)
      : (value) => libraryIsEmail(value, options as undefined),
  emit: (value, scope, [options]) =>
    isWithout(options)
      ? code`(typeof ${value} === 'string' && ${scope.hoist(isUsual, 'isUsualEmail')}(${value}) || ${scope.hoist(isAddress, 'isEmail')}(${value}))`
      : undefined,
});

function isWithout(options: unknown): boolean {
  if (options === undefined) return true;
  if (typeof options !== 'object' || options === null || Object.getPrototypeOf(options) !== Object.prototype)
    return false;
  return Reflect.ownKeys(options).length === 0;
}
