import { IfGiven, NoLongerThan, NoMoreThan } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { ArrayMinSize, IsArray, IsIn, IsInt, Max, Min, MinLength } from 'class-validator';
import { scopes } from './scopes';

/** A new API key; the only response with the full key. */
@Exclude()
export class MadeApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** @example deploy script */
  @Expose() name!: string;
  /**
   * The full key for `X-API-Key`; it cannot be retrieved again.
   *
   * @example k7Qm2xVtR9sYbNcLwE4uHj
   */
  @Expose() apiKey!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
  /** ISO 8601, UTC, milliseconds; null if it does not expire. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) expiresAt!: Date | null;
  /**
   * What it is restricted to; null if it may do all that its account may.
   *
   * @example ["items:read"]
   */
  @Expose() @Schema({ type: ['array', 'null'], items: { type: 'string' } }) scopes!: string[] | null;
}

/** The body of key creation. */
export class MakeApiKey {
  /** @example deploy script */
  @MinLength(1)
  @NoLongerThan(100)
  name!: string;

  /** Without it the key does not expire. */
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(3650)
  expiresInDays?: number;

  /**
   * What it is restricted to; `read` includes `items:read`. Without them it may do all that its account may.
   *
   * @example ["items:read"]
   */
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @NoMoreThan(scopes.length)
  @IsIn(scopes, { each: true })
  scopes?: (typeof scopes)[number][];
}
