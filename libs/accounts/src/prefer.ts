/**
 * Whether the caller prefers the full representation to the minimal response.
 *
 * @param header `Prefer`, repeated fields joined by commas
 * @see RFC 7240 §2: case-insensitive tokens, the first occurrence of a preference applies
 */
export function prefersRepresentation(header: string | undefined): boolean {
  const preference = header
    ?.split(',')
    .map((part) => part.split(';', 1)[0].replaceAll(/[\s"]/g, '').toLowerCase())
    .find((part) => part.startsWith('return='));
  return preference === 'return=representation';
}
