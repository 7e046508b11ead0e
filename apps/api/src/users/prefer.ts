/**
 * Whether a caller prefers the whole representation to the short response.
 *
 * @param header the `Prefer` header; several are joined by commas
 * @see RFC 7240 §2: tokens without regard to case, the first mention of a preference counts
 */
export function prefersRepresentation(header: string | undefined): boolean {
  const asked = header
    ?.split(',')
    .map((preference) => preference.split(';', 1)[0].replaceAll(/[\s"]/g, '').toLowerCase())
    .find((preference) => preference.startsWith('return='));
  return asked === 'return=representation';
}
