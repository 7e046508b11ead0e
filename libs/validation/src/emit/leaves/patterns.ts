import { code } from '@app/shapes';
import { isISO8601 as libraryIsISO8601, isUUID as libraryIsUUID } from 'class-validator';
import { leaf } from './rule';

/** An expression that remembers nothing (`g`, `y`) and is an expression in every way. */
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

/** The versions that stand at one place of a UUID; other names (`nil`, `loose`) are the library's to judge. */
const VERSIONS = new Map<unknown, string>([
  [undefined, '12345678'],
  ['all', '12345678'],
  ...['1', '2', '3', '4', '5', '6', '7', '8'].map((version): [string, string] => [version, version]),
]);

const HEX = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[0-9a-f]/i.test(String.fromCharCode(unit)) ? 1 : 0,
);
const HYPHEN = 45;

/** The usual UUIDs are decided by looking at each character; what is none of them goes to the library. */
export const isUUID = leaf({
  name: 'IsUUID',
  test: ([version]) => {
    const versions = VERSIONS.get(version);
    if (versions === undefined) return undefined;
    return (value) =>
      typeof value === 'string' &&
      value.length === 36 &&
      (isUsualUUID(value, versions) || libraryIsUUID(value, version as undefined));
  },
});

function isUsualUUID(text: string, versions: string): boolean {
  for (let at = 0; at < 36; at++) {
    const unit = text.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (unit !== HYPHEN) return false;
    } else if (unit > 102 || HEX[unit] === 0) return false;
  }
  return versions.includes(text.charAt(14)) && '89abAB'.includes(text.charAt(19));
}

/** The usual form is decided by looking at its characters; any other is for the library to judge. */
export const isISO8601 = leaf({
  name: 'IsISO8601',
  test:
    ([options]) =>
    (value) =>
      typeof value === 'string' && (isUsualMoment(value) || libraryIsISO8601(value, options as undefined)),
});

const USUAL =
  /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z$/;

/** `2024-02-28T12:30:15.123Z`: valid under every option, as every month has 28 days. Years before 1000 are not
 * read back by the strict option. */
function isUsualMoment(text: string): boolean {
  return text.length >= 20 && text.charCodeAt(10) === 84 && USUAL.test(text);
}
