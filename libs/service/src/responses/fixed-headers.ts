/**
 * Sent with every response: no caching, no MIME sniffing, no script, no framing. `Strict-Transport-Security` is left to
 * the proxy that terminates TLS.
 */
export const fixedHeaders: Readonly<Record<string, string>> = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
