/**
 * Tells whether a caller asks for the whole representation instead of the short answer.
 *
 * @param header the field `Prefer` as it came, several of them joined by commas
 * @see RFC 7240 §2: tokens without regard to case, the first mention of a preference counts
 */
export function prefersRepresentation(header: string | undefined): boolean {
  const asked = header
    ?.split(',')
    .map((preference) => preference.split(';', 1)[0].replaceAll(/[\s"]/g, '').toLowerCase())
    .find((preference) => preference.startsWith('return='));
  return asked === 'return=representation';
}
