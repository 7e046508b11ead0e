import { createHmac } from 'node:crypto';
import { type Challenges, makeOneTimeSecret, SignInServices } from '@app/accounts';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';

const LIFETIME_MS = 10 * 60_000;

/** The secrets that an authorization is bound to, 256 bits each in base64url. */
export interface AuthorizationSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The `code_verifier` of PKCE. */
  readonly verifier: string;
}

/** An authorization to begin. */
export interface BegunAuthorization extends AuthorizationSecrets {
  /** The client's secret, 256 random bits in base64url. Only a client that has it completes the authorization. */
  readonly request: string;
}

/** The pending authorizations at providers. Their secrets derive from the client's token, which is stored as a hash. */
@Injectable()
export class OidcAuthorizations {
  private readonly challenges: Challenges;

  constructor(services: SignInServices) {
    this.challenges = services.challengesOf('oidc');
  }

  /** @param accountId the account that gets the identity; `null` for a sign-in */
  async begin(provider: string, accountId: number | null, db?: Queries): Promise<BegunAuthorization> {
    const request = makeOneTimeSecret();
    const token = boundTo(provider, request);
    await this.challenges.add({ token, accountId, challengeState: '', lifetimeMs: LIFETIME_MS }, db);
    return { request, ...secretsOf(request) };
  }

  /** Uses an authorization once; `undefined` if unknown, used, expired, or from a different provider, program or account. */
  async use(
    request: string,
    provider: string,
    accountId: number | null,
  ): Promise<AuthorizationSecrets | undefined> {
    const used = await this.challenges.use(boundTo(provider, request));
    return used?.accountId === accountId ? secretsOf(request) : undefined;
  }
}

function boundTo(provider: string, request: string): string {
  return JSON.stringify([provider, request]);
}

function secretsOf(request: string): AuthorizationSecrets {
  const derive = (purpose: string) => createHmac('sha256', request).update(purpose).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}
