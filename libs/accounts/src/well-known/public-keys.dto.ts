import { Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';

/** A public key that verifies access tokens, as a JSON Web Key (RFC 7517). */
@Exclude()
export class PublicKey {
  /**
   * The key type, `EC` or `OKP`.
   *
   * @example EC
   */
  @Expose() kty!: string;
  /**
   * The curve, `P-256` or `Ed25519`.
   *
   * @example P-256
   */
  @Expose() crv!: string;
  /** @example f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU */
  @Expose() x!: string;
  /**
   * The y coordinate, for `EC` keys.
   *
   * @example x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0
   */
  @Expose() @Schema({ type: 'string' }) y?: string;
  /**
   * The `kid` header in tokens that this key verifies.
   *
   * @example 2026-01-31-4f1c
   */
  @Expose() kid!: string;
  /**
   * The algorithm, `ES256` or `EdDSA`.
   *
   * @example ES256
   */
  @Expose() alg!: string;
  /**
   * The use, which is always `sig`.
   *
   * @example sig
   */
  @Expose() use!: string;
}

/** The public keys that verify access tokens. */
@Exclude()
export class PublicKeySet {
  /** The keys; empty while a secret signs tokens (HS256). */
  @Expose()
  @Type(() => PublicKey)
  keys!: PublicKey[];
}
