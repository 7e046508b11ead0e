/**
 * Names the mode that `pg` means: it verifies certificate and host name for `prefer`, `require` and `verify-ca` too, and
 * warns that a later version will not.
 */
export function withoutWarning(url: string): string {
  return /[?&]uselibpqcompat=/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
