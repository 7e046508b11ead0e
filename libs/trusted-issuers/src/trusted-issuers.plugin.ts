import type { TokenIssuers, TokenIssuerServices } from '@app/accounts';
import { type BearerStrategy, replyWith, type Strategy } from '@app/auth';
import { definePlugin } from '@app/service';
import { Logger } from '@nestjs/common';
import { TrustedIssuerUnavailableError } from './errors';
import { type IntrospectionRules, tokenIntrospection } from './introspection-rules';
import { IssuerIntrospection } from './issuer-introspection';
import { IssuerKeys, type KeysReport } from './issuer-keys';
import { type IssuerRules, trustedIssuers as issuersSetting } from './issuer-rules';
import { IssuerTokens } from './issuer-tokens';
import { callerFrom, trustedIssuerStrategy, withTrustedIssuers } from './trusted-strategies';
import { TrustedTokens } from './trusted-tokens';

const settings = {
  TRUSTED_ISSUERS: issuersSetting()
    .optional()
    .describe(
      'Further issuers with accepted access tokens. Each is a URL with options, separated by spaces: `audience` (required), `type=any` for a `typ` other than `at+jwt`, `algorithms=RS256,ES256`, `lifetime=1h`, `leeway=10s`, `roles=<claim> role-map=<value>:<role>,…`, `scopes=<claim> scope-map=<value>:<scope>,…`, `two-factors=amr:mfa,acr:<value>` for two-factor sign-ins, `accounts=off` for callers without an account.',
    )
    .meta({ examples: ['https://id.example.com/realms/shop audience=shop-api'] }),
  TOKEN_INTROSPECTION: tokenIntrospection()
    .optional()
    .describe(
      'The trusted issuer that introspects opaque tokens (RFC 7662), with `client` and `secret` for the request and `cache=1m` for the longest use of a response. By default opaque tokens are rejected.',
    )
    .meta({
      examples: ['https://id.example.com/realms/shop client=shop-api secret=…'],
      needs: 'TRUSTED_ISSUERS',
      secret: true,
    }),
};

/** The plugin of trusted issuers, whose access tokens the program accepts. */
export function trustedIssuers() {
  return definePlugin({
    name: 'trusted-issuers',
    settings,
    errors: [TrustedIssuerUnavailableError],
    issuers: ({ TRUSTED_ISSUERS: issuers, TOKEN_INTROSPECTION: introspection }) =>
      issuers && tokenIssuers(issuers, introspection),
  });
}

function tokenIssuers(issuers: readonly IssuerRules[], introspection?: IntrospectionRules): TokenIssuers {
  return {
    urls: issuers.map(({ issuer }) => issuer),
    // An issuer's clock may be ahead by the leeway, and its token is accepted for the leeway after it has expired.
    longestTokenSeconds: Math.max(
      ...issuers.map(({ lifetimeSeconds, leewaySeconds }) => lifetimeSeconds + 2 * leewaySeconds),
    ),
    checkErrors: [replyWith(TrustedIssuerUnavailableError)],
    strategies: (own, services) => strategiesWithIssuers(own, issuers, introspection, services),
  };
}

/**
 * Returns an application's strategies with trusted issuers. The default strategy also accepts issuers with accounts here. The
 * strategy `trusted-issuer` accepts the remaining issuers.
 *
 * @param own the strategy for our own tokens
 * @throws TypeError if a map names an unknown role, or introspection names an untrusted issuer
 */
function strategiesWithIssuers(
  own: BearerStrategy,
  issuers: readonly IssuerRules[],
  introspection: IntrospectionRules | undefined,
  { access, identities, roles }: TokenIssuerServices,
): readonly Strategy[] {
  for (const rules of issuers) checkRoles(rules, roles);
  const opaque = introspection && introspectionOf(introspection, issuers);
  const ofGroup = (hasAccounts: boolean) => (opaque?.rules.hasAccounts === hasAccounts ? opaque : undefined);
  const report = reporter();
  const [withAccounts, others] = [true, false].map((hasAccounts) =>
    issuers
      .filter((rules) => rules.hasAccounts === hasAccounts)
      .map((rules) => new IssuerTokens(rules, new IssuerKeys(rules.issuer, report))),
  );
  const strategies: Strategy[] = [own];
  if (withAccounts.length > 0) {
    const tokens = new TrustedTokens(withAccounts, (claims) => identities.accountOf(claims), ofGroup(true));
    strategies[0] = withTrustedIssuers(own, tokens, access);
  }
  if (others.length > 0)
    strategies.push(trustedIssuerStrategy(new TrustedTokens(others, callerFrom, ofGroup(false))));
  return strategies;
}

function introspectionOf(client: IntrospectionRules, issuers: readonly IssuerRules[]): IssuerIntrospection {
  const rules = issuers.find(({ issuer }) => issuer === client.issuer);
  if (rules === undefined)
    throw new TypeError(`TOKEN_INTROSPECTION names ${client.issuer}, which is not one of TRUSTED_ISSUERS`);
  const logger = new Logger('TrustedIssuers');
  return new IssuerIntrospection(rules, client, {
    report: (failure) => logger.warn(`token introspection failed: ${failure}`),
  });
}

function checkRoles({ issuer, roles }: IssuerRules, programRoles: readonly string[]): void {
  for (const [, name] of roles?.names ?? []) {
    if (!programRoles.includes(name))
      throw new TypeError(
        `TRUSTED_ISSUERS maps a claim of ${issuer} to the role '${name}': the application has ${programRoles.join(', ')}`,
      );
  }
}

function reporter(): KeysReport {
  const logger = new Logger('TrustedIssuers');
  return (event) => {
    if ('keys' in event) logger.log(`issuer keys loaded: ${event.issuer}, ${event.keys}`);
    else logger.warn(`issuer keys unavailable, the previous ones are used: ${event.failure}`);
  };
}
