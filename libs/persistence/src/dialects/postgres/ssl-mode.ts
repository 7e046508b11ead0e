/**
 * Names the mode that `pg` uses. It verifies certificate and host name for `prefer`, `require` and `verify-ca` too, and warns
 * that a later version will stop doing so.
 */
export function withoutWarning(url: string): string {
  return /[?&]uselibpqcompat=/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
