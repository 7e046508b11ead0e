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

const startedPristine = [stringify, toJSON, toISOString, valueOf].every((one) =>
  Function.prototype.toString.call(one).includes('[native code]'),
);

/**
 * Whether JSON text is still what the language says it is: nobody has replaced how dates are written, or given
 * strings, numbers, flags, arrays or objects a `toJSON`.
 */
export function isPristine(): boolean {
  return (
    startedPristine &&
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
