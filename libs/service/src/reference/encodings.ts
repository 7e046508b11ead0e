/** The content codings that files are sent in, the smallest first. */
export const codings = ['br', 'gzip'] as const;

/** How a file is encoded. */
export type Coding = (typeof codings)[number] | 'identity';

/**
 * Chooses the coding of a response: the one that the client prefers, the smallest of those that it prefers equally.
 *
 * @param accepted the header field `Accept-Encoding`, if it was sent
 * @see RFC 9110 §12.5.3
 */
export function chooseCoding(accepted: string | undefined): Coding {
  const weights = weightsOf(accepted ?? '');
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = codings.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
}

function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  return weights;
}
