/**
 * The headers sent with every response. They forbid caching, MIME sniffing, scripts and framing. The proxy that terminates TLS
 * adds `Strict-Transport-Security`.
 */
export const fixedHeaders: Readonly<Record<string, string>> = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
