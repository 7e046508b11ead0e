import type { BearerStrategy, Strategy } from '@app/auth';
import { Logger } from '@nestjs/common';
import type { AccessCheck } from '../access/access-check';
import { type KeysReport, IssuerKeys } from './issuer-keys';
import type { IntrospectionRules } from './introspection-rules';
import { IssuerIntrospection } from './issuer-introspection';
import type { IssuerRules } from './issuer-rules';
import { IssuerTokens } from './issuer-tokens';
import type { TrustedIdentitiesStore } from '../identities/trusted-identities.store';
import { callerFrom, trustedIssuerStrategy, withTrustedIssuers } from './trusted-strategies';
import { TrustedTokens } from './trusted-tokens';

/** The dependencies of the strategies for trusted issuers. */
export interface TrustedIssuerParts {
  readonly access: AccessCheck;
  readonly identities: TrustedIdentitiesStore;
  /** The application's roles. */
  readonly roles: readonly string[];
  readonly introspection?: IntrospectionRules;
}

/**
 * Returns an application's strategies with trusted issuers. The default strategy also accepts issuers with accounts here. The
 * strategy `trusted-issuer` accepts the remaining issuers.
 *
 * @param own the strategy for our own tokens
 * @throws TypeError if a map names an unknown role, or introspection names an untrusted issuer
 */
export function strategiesWithIssuers(
  own: BearerStrategy,
  issuers: readonly IssuerRules[],
  { access, identities, roles, introspection }: TrustedIssuerParts,
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

function checkRoles({ issuer, roles }: IssuerRules, known: readonly string[]): void {
  for (const [, name] of roles?.names ?? []) {
    if (!known.includes(name))
      throw new TypeError(
        `TRUSTED_ISSUERS maps a claim of ${issuer} to the role '${name}': the application has ${known.join(', ')}`,
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
