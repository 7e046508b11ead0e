import { Schema } from '@app/shapes';
import { Exclude, Expose, Type } from 'class-transformer';

/** A public key that verifies access tokens, as a JSON Web Key (RFC 7517). */
@Exclude()
export class PublicKey {
  /** `EC` or `OKP`. */
  @Expose() kty!: string;
  /** `P-256` or `Ed25519`. */
  @Expose() crv!: string;
  @Expose() x!: string;
  /** Of `EC` alone. */
  @Expose() @Schema({ type: 'string' }) y?: string;
  /** The `kid` of the tokens that it verifies. */
  @Expose() kid!: string;
  /** `ES256` or `EdDSA`. */
  @Expose() alg!: string;
  /** `sig`. */
  @Expose() use!: string;
}

/** The public keys that verify access tokens. */
@Exclude()
export class PublicKeySet {
  /** Empty while tokens are signed with a secret (HS256). */
  @Expose()
  @Type(() => PublicKey)
  keys!: PublicKey[];
}
