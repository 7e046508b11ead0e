/** A media range in `Accept`. */
interface Range {
  readonly type: string;
  /** The weight, from 0 to 1. */
  readonly weight: number;
  /** The position in the header. */
  readonly at: number;
}

/**
 * Chooses the media type of a response. The highest `q` wins, then the more exact name, then the earlier name.
 *
 * @param accepted the header field `Accept`, if it was sent
 * @param offered in lower case; the first is the default, also if the header accepts no offered type
 * @see RFC 9110 §12.5.1
 */
export function preferredType<const T extends string>(
  accepted: string | undefined,
  offered: readonly [T, ...T[]],
): T {
  const ranges = rangesOf(accepted);
  let best: { readonly type: T; readonly range: Range } | undefined;
  for (const type of offered) {
    const range = rangeOf(type, ranges);
    if (range && range.weight > 0 && (best === undefined || isBefore(range, best.range)))
      best = { type, range };
  }
  return best?.type ?? offered[0];
}

/** Returns whether an error is sent as `application/problem+json`. It is if `Accept` prefers it to `application/json`. */
export function prefersProblem(accepted: string | undefined): boolean {
  if (accepted === undefined || !/problem\+json/i.test(accepted)) return false;
  return (
    preferredType(accepted, ['application/json', 'application/problem+json']) === 'application/problem+json'
  );
}

/** Returns the weight for each item in an `Accept…` header. */
export function weightsOf(accepted: string): ReadonlyMap<string, number> {
  return new Map(rangesOf(accepted).map(({ type, weight }) => [type, weight]));
}

function rangesOf(accepted = ''): Range[] {
  return accepted.toLowerCase().split(',').map(readRange);
}

function readRange(text: string, at: number): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0, at };
}

/** Returns the most exact range that includes a type. */
function rangeOf(type: string, ranges: readonly Range[]): Range | undefined {
  const [kind] = type.split('/');
  const forms = [type, `${kind}/*`, '*/*'];
  return forms
    .map((form) => ranges.find((range) => range.type === form))
    .find((range) => range !== undefined);
}

function isBefore(left: Range, right: Range): boolean {
  return (left.weight - right.weight || exactness(left) - exactness(right) || right.at - left.at) > 0;
}

function exactness({ type }: Range): number {
  if (type === '*/*') return 0;
  return type.endsWith('/*') ? 1 : 2;
}
