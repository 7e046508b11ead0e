import type { IncomingMessage, ServerResponse } from 'node:http';

/** The session of a sign-in or a refresh, if it is complete. */
interface Opened {
  readonly refresh_token?: string;
}

/** The session cookies of the faulty service. */
export class FaultyCookies {
  private readonly has: (fault: string) => boolean;

  constructor(has: (fault: string) => boolean) {
    this.has = has;
  }

  /** Returns the name of the cookie for a request's page; `undefined` for foreign pages. */
  nameFor({ headers, url }: IncomingMessage): string | undefined {
    const { origin = '', host = '', 'sec-fetch-site': site } = headers;
    const isLax = this.has(url === '/refresh' ? 'cookie-refreshes' : 'cookie-logins');
    const isSibling = this.has('cookie-siblings') && origin.endsWith(`.${host}`);
    const isOwn = [`http://${host}`, `https://${host}`].includes(origin) && site !== 'cross-site';
    if (!isOwn && !isSibling && !isLax) return undefined;
    return origin.startsWith('https:') ? '__Host-session' : 'session';
  }

  /** Moves the refresh token of a session from its body into a cookie. */
  move(response: ServerResponse, name: string, { refresh_token: token, ...body }: Opened): object {
    if (token === undefined) return body;
    const attributes = this.has('cookie-attributes') ? '' : '; HttpOnly';
    const secure = name === 'session' ? '' : '; Secure';
    response.setHeader('set-cookie', `${name}=${token}${attributes}${secure}; SameSite=Strict; Path=/`);
    return body;
  }

  /** Returns the refresh token in a request's cookie. */
  tokenIn({ headers: { cookie = '' } }: IncomingMessage, name: string): string | undefined {
    const pairs = cookie.split('; ').map((pair) => pair.split('='));
    const isNamed = (key: string) =>
      key === name || (this.has('insecure-cookies') && key === name.replace('__Host-', ''));
    const values = pairs.flatMap(([key = '', value = '']) => (isNamed(key) ? value : []));
    return values.length === 1 || this.has('tossed-cookies') ? values.at(-1) : undefined;
  }
}
