import type { AccessCheck, LinkedAccount } from '@app/accounts';
import { type BearerStrategy, bearerToken, type Strategy } from '@app/auth';
import type { IssuerClaims } from './issuer-tokens';
import type { Remembered, TrustedTokens } from './trusted-tokens';

/** A trusted issuer's caller who has no account here, for a route with `@UseStrategy('trusted-issuer')`. */
export interface TrustedCaller extends Pick<IssuerClaims, 'issuer' | 'subject' | 'authTime' | 'scopes'> {
  /** The caller's role, which is `user` if the issuer has no role map. */
  readonly role: string;
}

/**
 * Returns a strategy that accepts our own tokens and tokens from trusted issuers.
 *
 * @param own the strategy for our own tokens, which gives the name
 * @param tokens the tokens, remembered with their subject's account
 */
export function withTrustedIssuers(
  own: BearerStrategy,
  tokens: TrustedTokens<LinkedAccount>,
  access: AccessCheck,
): Strategy {
  const callerOf = ({ claims, rules, value }: Remembered<LinkedAccount>) =>
    access.callerByIssuer(claims, value, rules.leewaySeconds);
  return {
    ...own,
    hasScopes: true,
    authenticate(request): unknown {
      const token = bearerToken(request);
      if (token === undefined) return undefined;
      const remembered = tokens.remembered(token);
      if (remembered !== undefined) return callerOf(remembered);
      return own.callerOf(token, request) ?? firstCaller(tokens, token, request, callerOf);
    },
  };
}

/** Returns a strategy for trusted issuers without accounts here. The token contains everything that is known about the caller. */
export function trustedIssuerStrategy(tokens: TrustedTokens<TrustedCaller>): Strategy {
  return {
    name: 'trusted-issuer',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    hasScopes: true,
    authenticate(request): unknown {
      const token = bearerToken(request);
      if (token === undefined) return undefined;
      return tokens.remembered(token)?.value ?? firstCaller(tokens, token, request, ({ value }) => value);
    },
  };
}

/** The caller of {@link trustedIssuerStrategy}. */
export function callerFrom({
  issuer,
  subject,
  authTime,
  scopes,
  role = 'user',
}: IssuerClaims): TrustedCaller {
  return { issuer, subject, authTime, scopes, role };
}

function firstCaller<Value>(
  tokens: TrustedTokens<Value>,
  token: string,
  { ip }: { readonly ip: string },
  callerOf: (verified: Remembered<Value>) => unknown,
): Promise<unknown> | undefined {
  return tokens.verify(token, ip)?.then((verified) => verified && callerOf(verified));
}
