/** The pattern for `scheme://authority` at the start of a request target. */
const authority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * Returns a request target in origin form: path and query. A client may send an absolute URL as target (RFC 9112 §3.2.2). The
 * client chooses its host, so the host must not reach links, log lines or error messages.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(authority, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}
