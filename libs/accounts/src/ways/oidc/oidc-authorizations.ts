import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Queries } from '@app/persistence';
import type { OidcAuthorizationsStore } from './oidc-authorizations.store';

const TOKEN_BYTES = 32;
const LIFETIME_MS = 10 * 60_000;

/** What an authorization is bound to: 256 bits each, in base64url. */
export interface AuthorizationSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The `code_verifier` of PKCE. */
  readonly verifier: string;
}

/** An authorization to begin. */
export interface BegunAuthorization extends AuthorizationSecrets {
  /** 256 random bits in base64url, for the client: whoever has it, and no other client, completes the authorization. */
  readonly request: string;
}

/**
 * Authorizations of a program that identity providers were asked for. What the protocol requires is derived from the token of the client, of
 * which a hash is stored.
 */
export class OidcAuthorizations {
  /** @param audience the program: others reject its tokens */
  constructor(
    private readonly store: OidcAuthorizationsStore,
    private readonly audience: string,
  ) {}

  /** @param accountId to which the identity is to be linked; `null` for a sign-in */
  async begin(provider: string, accountId: number | null, db?: Queries): Promise<BegunAuthorization> {
    const request = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + LIFETIME_MS);
    const { audience } = this;
    await this.store.insert({ requestHash: hashOf(request), provider, accountId, audience, expiresAt }, db);
    return { request, ...secretsOf(request) };
  }

  /** Uses one, once. @returns `undefined` for a token that is unknown, used, expired, of another provider, program or account */
  async use(
    request: string,
    provider: string,
    accountId: number | null,
  ): Promise<AuthorizationSecrets | undefined> {
    const { audience } = this;
    const taken = await this.store.take({ requestHash: hashOf(request), provider, audience });
    return taken?.accountId === accountId ? secretsOf(request) : undefined;
  }
}

function secretsOf(request: string): AuthorizationSecrets {
  const derive = (purpose: string) => createHmac('sha256', request).update(purpose).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

function hashOf(request: string): string {
  return createHash('sha256').update(`authorization ${request}`).digest('base64url');
}
