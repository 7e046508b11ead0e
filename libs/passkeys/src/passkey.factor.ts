import type { FactorProof, SignInFactor } from '@app/accounts';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { Expression } from 'kysely';
import { PasskeyVerifier } from './passkey-verifier';
import { PasskeysStore } from './passkeys.store';

/** Returns the passkey's id in `GET /auth/factors`. */
export function factorIdOf(passkeyId: number): string {
  return `passkey-${passkeyId}`;
}

/** An account's passkeys. Each begins sign-ins without a user name, and is a second factor for further sign-ins. */
@Injectable()
export class PasskeyFactor implements SignInFactor {
  readonly kind = 'passkey';
  readonly title = 'A passkey';
  readonly role = 'second';
  readonly beginsSignIns = true;

  constructor(
    private readonly store: PasskeysStore,
    private readonly verifier: PasskeyVerifier,
  ) {}

  async list(accountId: number, db?: Queries) {
    const { kind } = this;
    return (await this.store.listOf(accountId, db)).map(({ id, name, createdAt }) => ({
      id: factorIdOf(id),
      kind,
      name,
      createdAt,
      remaining: null,
    }));
  }

  enrolled(account: Expression<number>, db: Queries): Expression<unknown> {
    return db.selectFrom('passkey').select('id').where('accountId', '=', account).limit(1);
  }

  async verify(accountId: number, { credential }: FactorProof): Promise<readonly string[] | undefined> {
    return (await this.verifier.verifyAssertion(credential, { for: 'second-factor', accountId }))?.amr;
  }

  end(accountId: number, id: string | undefined, db: Queries): Promise<boolean> {
    const passkeyId = id === undefined ? undefined : Number(id.slice(factorIdOf(0).length - 1));
    return this.store.remove(accountId, passkeyId, db);
  }
}
