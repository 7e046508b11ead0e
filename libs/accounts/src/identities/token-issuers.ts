import type { BearerStrategy, CheckErrorRule, Strategy } from '@app/auth';
import type { AccessCheck } from '../access/access-check';
import type { AcceptedIssuers } from '../options';
import type { TrustedIdentitiesStore } from './trusted-identities.store';

/** The account services for strategies that accept tokens of issuers. */
export interface TokenIssuerServices {
  readonly access: AccessCheck;
  readonly identities: TrustedIdentitiesStore;
  /** The application's roles. */
  readonly roles: readonly string[];
}

/** The issuers of a plugin, whose access tokens the program accepts beside its own tokens. */
export interface TokenIssuers extends AcceptedIssuers {
  /** Maps the errors that the strategies throw to replies. */
  readonly checkErrors: readonly CheckErrorRule[];
  /**
   * Returns the strategies that replace the program's default strategy. The first is the default.
   *
   * @param own the strategy for the program's own tokens
   */
  strategies(own: BearerStrategy, services: TokenIssuerServices): readonly Strategy[];
}
