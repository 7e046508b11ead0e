/**
 * Stand in every reply. What we send is data for the one who asked: nobody caches it, guesses at its type, runs
 * it or frames it. `Strict-Transport-Security` is left to the proxy that has the certificate.
 */
export const fixedHeaders: Readonly<Record<string, string>> = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
