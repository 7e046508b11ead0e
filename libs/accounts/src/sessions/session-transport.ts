import { UnauthenticatedError } from '@app/auth';
import { IfGiven } from '@app/contract';
import { Injectable } from '@nestjs/common';
import { IsIn } from 'class-validator';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UntrustedPageError } from '../errors';
import { AccountsOptions } from '../options';
import { parseRefreshToken } from './refresh-token';
import type { MfaToken } from './session-sign-in';
import type { TokenPair } from './session-token-issuer';
import type { MfaRequired, SessionTokens } from './sessions.dto';

const transports = ['body', 'cookie'] as const;

/** The part of a response that carries the refresh token. */
export type Transport = (typeof transports)[number];

/** Declares the `transport` member of a request that opens a session. */
export function IsTransport(): PropertyDecorator {
  return (target, name) => {
    for (const decorate of [IfGiven(), IsIn(transports)]) decorate(target, name);
  };
}

interface SessionCookie {
  readonly name: string;
  /** The refresh token. */
  readonly value: string;
}

/** The cookie for pages over HTTPS. Browsers let neither subdomains nor HTTP set a cookie with this prefix. */
const secureName = '__Host-session';
/** The cookie for pages over HTTP on this machine, where some browsers refuse `Secure`. */
const localName = 'session';
const thisMachine = /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/** Sends sessions to clients. Every way to sign in ends here and has every transport. */
@Injectable()
export class SessionTransport {
  constructor(private readonly options: AccountsOptions) {}

  /**
   * Returns the response body after a first factor. The status is 200 if a second factor is pending.
   *
   * @param open runs if the page may have the transport
   * @throws UnauthenticatedError for every invalid credential (D16)
   * @throws UntrustedPageError if the transport is a cookie and the page's origin is foreign
   */
  async send(
    transport: Transport | undefined,
    reply: FastifyReply,
    open: () => Promise<TokenPair | MfaToken | undefined>,
  ): Promise<SessionTokens | MfaRequired> {
    const write = this.writerFor(transport, reply);
    const signIn = await open();
    if (signIn === undefined || 'accessToken' in signIn) return write(signIn);
    void reply.status(200);
    return { mfa_required: true, factors: [...signIn.factors], mfa_token: signIn.mfaToken };
  }

  /** Returns the response body with a session's tokens, like {@link send}. */
  async sendTokens(
    transport: Transport | undefined,
    reply: FastifyReply,
    open: () => Promise<TokenPair | undefined>,
  ): Promise<SessionTokens> {
    const write = this.writerFor(transport, reply);
    return write(await open());
  }

  /**
   * Returns the refresh token in a request's cookie; `undefined` without a session cookie, or if several are sent.
   *
   * @throws UntrustedPageError if the page's origin is foreign
   */
  tokenIn(request: FastifyRequest): string | undefined {
    const cookies = cookiesIn(request);
    if (cookies.length === 0) return undefined;
    // A subdomain can plant the other cookie, with a session of its own.
    const name = this.cookieFor(request);
    const [cookie, ...more] = cookies.filter((sent) => sent.name === name);
    return more.length === 0 ? cookie?.value : undefined;
  }

  /** Deletes the browser's cookie if it belongs to the account that has signed out. */
  clear(accountId: number, reply: FastifyReply): void {
    for (const { name, value } of cookiesIn(reply.request))
      if (parseRefreshToken(value)?.accountId === accountId) setCookie(reply, { name, value: '' }, 0);
  }

  /** Checks the page before a session opens, so that a refused request leaves no session. */
  private writerFor(
    transport: Transport | undefined,
    reply: FastifyReply,
  ): (pair: TokenPair | undefined) => SessionTokens {
    const name = transport === 'cookie' ? this.cookieFor(reply.request) : undefined;
    return (pair) => {
      if (pair === undefined) throw new UnauthenticatedError();
      const { accessToken, refreshToken, expiresIn } = pair;
      const tokens = { access_token: accessToken, expires_in: expiresIn };
      if (name === undefined) return { ...tokens, refresh_token: refreshToken };
      setCookie(reply, { name, value: refreshToken }, this.options.settings.REFRESH_TOKEN_TTL);
      return tokens;
    };
  }

  /**
   * Returns the name of the cookie for a page. Its origin must be the program's or a named origin, and have HTTPS or be on this
   * machine.
   *
   * @throws UntrustedPageError for pages from foreign origins, and for clients that are not browsers
   */
  private cookieFor({ headers, host }: FastifyRequest): string {
    const { origin = '', 'sec-fetch-site': site } = headers;
    const { CORS_ORIGINS: named = false, API_URL } = this.options.settings;
    const { protocol = '', hostname = '' } = URL.parse(origin) ?? {};
    const own = URL.parse(API_URL ?? `${protocol}//${host}`)?.origin;
    const isKnown = origin === own || (typeof named === 'object' && named.includes(origin));
    const isSecure = protocol === 'https:';
    if (!isKnown || site === 'cross-site' || !(isSecure || thisMachine.test(hostname)))
      throw new UntrustedPageError();
    return isSecure ? secureName : localName;
  }
}

/** Returns the session cookies of a request, in the order in which they were sent. */
function cookiesIn({ headers: { cookie = '' } }: FastifyRequest): SessionCookie[] {
  return cookie.split(';').flatMap((pair) => {
    const values = parseCookie(pair);
    return [secureName, localName].flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : { name, value };
    });
  });
}

function setCookie(reply: FastifyReply, cookie: SessionCookie, maxAge: number): void {
  const secure = cookie.name === secureName;
  const attributes = { maxAge, httpOnly: true, secure, sameSite: 'strict', path: '/' } as const;
  void reply.header('set-cookie', stringifySetCookie({ ...cookie, ...attributes }));
}
