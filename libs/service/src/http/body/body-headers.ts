import type { IncomingHttpHeaders } from 'node:http';
import { UnsupportedBodyError } from '../errors';

const charsetParameter = /;\s*charset\s*=\s*("?)([^\s";]*)\1/gi;

/**
 * Rejects a body unless it is plain JSON in UTF-8. `application/json` defines no parameters, but many clients send a charset.
 *
 * @throws UnsupportedBodyError for a charset other than UTF-8 or a compressed body
 */
export function checkBodyHeaders(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity') throw new UnsupportedBodyError();
  if (type === 'application/json') return;
  for (const [, , charset] of type.matchAll(charsetParameter)) {
    if (!/^utf-?8$/i.test(charset)) throw new UnsupportedBodyError();
  }
}
