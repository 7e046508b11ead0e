import { code } from '@app/shapes';
import { isISO8601 as libraryIsISO8601 } from 'class-validator';
import { leaf } from './leaf';

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

const UUID_OF_VERSION = (version: string) =>
  new RegExp(`^[0-9A-F]{8}-[0-9A-F]{4}-${version}[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$`, 'i');

const UUIDS = new Map<unknown, RegExp>([
  [
    undefined,
    /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/i,
  ],
  ...['1', '2', '3', '4', '5', '6', '7', '8'].map((version): [string, RegExp] => [
    version,
    UUID_OF_VERSION(version),
  ]),
]);

export const isUUID = leaf({
  name: 'IsUUID',
  test: ([version]) => {
    const pattern = UUIDS.get(version === 'all' ? undefined : version);
    return pattern && ((value) => typeof value === 'string' && value.length === 36 && pattern.test(value));
  },
});

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
