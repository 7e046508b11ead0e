import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** A new API key, shown in full only in this response. */
@Exclude()
export class MadeApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** @example deploy script */
  @Expose() name!: string;
  /**
   * The full key for `X-API-Key`. Store it now; later responses mask it.
   *
   * @example k7Qm2xVtR9sYbNcLwE4uHj
   */
  @Expose() apiKey!: string;
  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
  /** The expiry: ISO 8601, UTC, milliseconds; null for a key that stays valid. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) expiresAt!: Date | null;
  /**
   * The scopes that restrict the key; null for full access to the account.
   *
   * @example ["items:read"]
   */
  @Expose() @Schema({ type: ['array', 'null'], items: { type: 'string' } }) scopes!: string[] | null;
}
