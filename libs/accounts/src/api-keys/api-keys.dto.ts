import { Schema } from '@app/contract';
import { Masked } from '@app/engine';
import { Exclude, Expose } from 'class-transformer';

/** An API key, masked. */
@Exclude()
export class ApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /**
   * The key's name, which the owner chose.
   *
   * @example deploy script
   */
  @Expose() name!: string;
  /** The masked key: its first two characters, `***`, and its last two. */
  @Expose() @Masked() apiKey!: string;
  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** The last use, to the minute; null before the first use. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
  /** The expiry: ISO 8601, UTC, milliseconds; null for a key that stays valid. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) expiresAt!: Date | null;
  /**
   * The scopes that restrict the key, such as `items:read`; null for full access to the account.
   *
   * @example ["items:read"]
   */
  @Expose() @Schema({ type: ['array', 'null'], items: { type: 'string' } }) scopes!: string[] | null;
}
