import { code } from '@app/shapes';
import {
  isISO8601 as libraryIsISO8601,
  isMongoId as libraryIsMongoId,
  isNumberString as libraryIsNumberString,
  isUUID as libraryIsUUID,
} from 'class-validator';
import { leaf } from './rule';

/** A regular expression without state (`g`, `y`) and without overridden members. */
export const matches = leaf({
  name: 'Matches',
  test: ([pattern]) =>
    isPlain(pattern) ? (value) => typeof value === 'string' && pattern.test(value) : undefined,
  emit: (value, scope, [pattern]) =>
    code`(typeof ${value} === 'string' && ${scope.hoist(pattern, 'pattern')}.test(${value}))`,
});

function isPlain(pattern: unknown): pattern is RegExp {
  return (
    pattern instanceof RegExp &&
    Object.getPrototypeOf(pattern) === RegExp.prototype &&
    Reflect.ownKeys(pattern).length === 1 &&
    !pattern.global &&
    !pattern.sticky
  );
}

const HEX = '[0-9a-fA-F]';

/** The version digits of a UUID; other names (`nil`, `loose`) are validated by the library. */
const VERSIONS = new Map<unknown, string>([
  [undefined, '1-8'],
  ['all', '1-8'],
  ...Array.from({ length: 8 }, (_, at): [string, string] => [`${at + 1}`, `${at + 1}`]),
]);

/** Usual UUIDs are validated by their characters; all others by the library. Flag `i` would take longer. */
export const isUUID = leaf({
  name: 'IsUUID',
  test: ([version]) => {
    const versions = VERSIONS.get(version);
    if (versions === undefined) return undefined;
    const usual = new RegExp(`^${HEX}{8}-${HEX}{4}-[${versions}]${HEX}{3}-[89abAB]${HEX}{3}-${HEX}{12}$`);
    return (value) =>
      typeof value === 'string' &&
      value.length === 36 &&
      (usual.test(value) || libraryIsUUID(value, version as undefined));
  },
});

const MONGO_ID = new RegExp(`^${HEX}{24}$`);

/** The library accepts `0x` before fewer digits too, and validates unusual values. */
export const isMongoId = leaf({
  name: 'IsMongoId',
  test: () => (value) => typeof value === 'string' && (MONGO_ID.test(value) || libraryIsMongoId(value)),
});

const DIGITS = /^[0-9]+$/;

/** Digits are numbers with every option. */
export const isNumberString = leaf({
  name: 'IsNumberString',
  throws: true,
  test:
    ([options]) =>
    (value) =>
      typeof value === 'string' && (DIGITS.test(value) || libraryIsNumberString(value, options as undefined)),
});

/** Usual forms are validated by their characters; all others by the library, which throws if the options are `null`. */
export const isISO8601 = leaf({
  name: 'IsISO8601',
  test: ([options]) =>
    options === null
      ? undefined
      : (value) =>
          typeof value === 'string' &&
          (isUsualMoment(value) || libraryIsISO8601(value, options as undefined)),
});

export const isDateString = leaf({ name: 'IsDateString', test: isISO8601.test });

const USUAL_TIME =
  /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z$/;
const USUAL_DAY = /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$/;

/** `2024-02-28` and `2024-02-28T12:30:15.123Z`: valid under every option, as every month has 28 days. Years before 1000
 * are not read back by the strict option. */
function isUsualMoment(text: string): boolean {
  return text.length === 10 ? USUAL_DAY.test(text) : text.length >= 20 && USUAL_TIME.test(text);
}
