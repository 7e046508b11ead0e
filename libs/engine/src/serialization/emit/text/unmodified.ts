interface Hooked {
  toString(): string;
  readonly toJSON?: unknown;
}

const dates = Date.prototype;
const strings: Hooked = String.prototype;
const numbers: Hooked = Number.prototype;
const flags: Hooked = Boolean.prototype;
const lists: Hooked = Array.prototype;

const { stringify } = JSON;
const { toJSON, toISOString, valueOf } = dates;

const startedUnmodified = [stringify, toJSON, toISOString, valueOf].every((method) =>
  Function.prototype.toString.call(method).includes('[native code]'),
);

/**
 * Whether the built-in JSON behaviour is unchanged: dates have their original `toJSON`, and strings, numbers, booleans, arrays
 * and objects have no `toJSON`.
 */
export const isUnmodified = startedUnmodified ? isUnchanged : () => false;

function isUnchanged(): boolean {
  return (
    JSON.stringify === stringify &&
    dates.toJSON === toJSON &&
    dates.toISOString === toISOString &&
    dates.valueOf === valueOf &&
    strings.toJSON === undefined &&
    numbers.toJSON === undefined &&
    flags.toJSON === undefined &&
    lists.toJSON === undefined
  );
}
