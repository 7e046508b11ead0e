import { Schema } from '@app/contract';
import { Masked } from '@app/engine';
import { Exclude, Expose } from 'class-transformer';

/** An API key, masked. */
@Exclude()
export class ApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /**
   * The name that the owner chose.
   *
   * @example deploy script
   */
  @Expose() name!: string;
  /** The first two characters, `***`, the last two. */
  @Expose() @Masked() apiKey!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** The last use, to the minute; null before the first use. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
  /** ISO 8601, UTC, milliseconds; null if it does not expire. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) expiresAt!: Date | null;
  /**
   * The scopes that restrict the key, such as `items:read`; null for full access to the account.
   *
   * @example ["items:read"]
   */
  @Expose() @Schema({ type: ['array', 'null'], items: { type: 'string' } }) scopes!: string[] | null;
}
