/** A mail server with its connection options. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether TLS starts immediately (`smtps`), in place of STARTTLS. */
  readonly secure: boolean;
  /** Whether STARTTLS is required, so that credentials are never sent in clear text. */
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/** The submission ports. @see RFC 8314 §3.3, RFC 6409 */
const ports = new Map([
  ['smtp:', 587],
  ['smtps:', 465],
]);

/**
 * Reads `smtp://user:password@host:587` or `smtps://…`; user and password are percent-encoded.
 *
 * @returns `undefined` for anything else, such as a URL with a path or a user without a password
 */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const defaultPort = ports.get(protocol);
  const isBare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  if (defaultPort === undefined || hostname === '' || !isBare) return undefined;
  if ((username === '') !== (password === '')) return undefined;
  const auth = username === '' ? undefined : { user: decoded(username), pass: decoded(password) };
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? defaultPort : Number(port),
    secure: protocol === 'smtps:',
    requireTLS: protocol === 'smtp:' && auth !== undefined,
    auth,
  };
}

/** Decodes a text. A text with a lone `%` stays unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
