import { createHash, randomBytes, randomUUID } from 'node:crypto';

interface Begun {
  readonly provider: string;
  readonly purpose: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The secret that a client kept and the parameters that its provider sent back. */
interface Completed {
  readonly request: string;
  readonly code: string;
  readonly state: string;
  readonly iss: string | undefined;
}

/** The claims in an ID token. */
export interface ProviderClaims {
  readonly sub: string;
  readonly nonce: string;
  readonly email?: string;
}

/** The provider sign-in of a service with chosen faults. It believes every ID token. */
export class FaultyProviders {
  private readonly has: (fault: string) => boolean;
  private readonly issuers: ReadonlyMap<string, string>;
  private readonly begun = new Map<string, Begun>();

  /**
   * Creates the sign-in.
   *
   * @param issuers the issuers by name
   */
  constructor(has: (fault: string) => boolean, issuers: ReadonlyMap<string, string>) {
    this.has = has;
    this.issuers = issuers;
  }

  /** Whether a client keeps this secret for an authorization that has begun. */
  hasBegun(request: string): boolean {
    return this.begun.has(request);
  }

  /**
   * Begins an authorization.
   *
   * @param purpose a sign-in, or the account to which an identity is to be linked
   */
  begin(provider: string, purpose: string): object | undefined {
    const issuer = this.issuers.get(provider);
    if (issuer === undefined) return undefined;
    const [state, nonce, request] = [randomUUID(), randomUUID(), randomUUID()];
    const verifier = randomBytes(32).toString('base64url');
    this.begun.set(request, { provider, purpose, state, nonce, verifier });
    const url = new URL(`${issuer}/authorize`);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    for (const [name, value] of Object.entries({
      client_id: 'attack',
      state,
      nonce,
      code_challenge: challenge,
    }))
      url.searchParams.set(name, value);
    return { url: url.href, request };
  }

  /** Completes an authorization and returns the claims about the user who signed in at the provider. */
  async complete(
    provider: string,
    purpose: string,
    { request, code, state, iss }: Completed,
  ): Promise<ProviderClaims | undefined> {
    const ofAnyone = [...this.begun.values()].find((value) => value.state === state);
    const begun = this.has('authorizations-of-any-client') ? ofAnyone : this.begun.get(request);
    if (!this.has('authorizations-twice')) this.begun.delete(request);
    const issuer = this.issuers.get(provider);
    const isMixedUp = begun?.provider !== provider || iss !== issuer;
    if (begun === undefined || issuer === undefined || begun.state !== state) return undefined;
    if (isMixedUp && !this.has('mixed-providers')) return undefined;
    if (begun.purpose !== purpose && !this.has('authorization-purposes')) return undefined;
    const verifier = this.has('unproven-codes') ? '' : begun.verifier;
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier });
    const response = await fetch(`${issuer}/token`, { method: 'POST', body });
    if (!response.ok) return undefined;
    const tokens = (await response.json()) as { readonly id_token: string };
    const claims: ProviderClaims = JSON.parse(
      Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString(),
    );
    return claims.nonce === begun.nonce || this.has('codes-of-other-clients') ? claims : undefined;
  }
}
