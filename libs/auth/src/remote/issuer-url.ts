/** Returns whether a text is an issuer URL. Plain HTTP stays on this machine, since an attacker could replace the keys. */
export function isIssuerUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Returns whether an issuer's metadata may name a URL, with a query (RFC 8414). Plain HTTP is for issuers that use it. */
export function isUrlOf(issuer: string, text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url !== null && issuer.startsWith('http:') && isIssuerUrl(`${url.origin}${url.pathname}`);
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
