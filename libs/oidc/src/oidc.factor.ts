import { type EnrolledFactor, type SignInFactor, TrustedIdentitiesStore } from '@app/accounts';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { OidcProviders } from './oidc-provider';

/** The identities that accounts have at the program's providers. */
@Injectable()
export class OidcFactor implements SignInFactor {
  static readonly kind = 'identity-provider';
  readonly kind = OidcFactor.kind;
  readonly title = 'Sign-in through an identity provider';
  readonly role = 'first';

  constructor(
    private readonly identities: TrustedIdentitiesStore,
    private readonly providers: OidcProviders,
  ) {}

  async list(accountId: number, db?: Queries): Promise<readonly EnrolledFactor[]> {
    const { kind } = this;
    if (this.providers.all.length === 0) return [];
    const identities = await this.identities.list(accountId, db);
    return identities.flatMap(({ issuer, createdAt }) => {
      const name = this.providers.all.find(({ rules }) => rules.issuer === issuer)?.rules.name;
      return name === undefined ? [] : [{ id: `${kind}-${name}`, kind, name, createdAt, remaining: null }];
    });
  }

  async end(accountId: number, id: string | undefined, db: Queries): Promise<boolean> {
    if (id === undefined) return this.identities.remove(accountId, undefined, db);
    const provider = this.providers.all.find(({ rules }) => id === `${this.kind}-${rules.name}`);
    return provider !== undefined && this.identities.remove(accountId, provider.rules.issuer, db);
  }
}
