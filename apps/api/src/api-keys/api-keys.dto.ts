import { NoLongerThan } from '@app/validation';
import { Masked } from '@app/serialization';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { MinLength } from 'class-validator';

/** An API key, masked. */
@Exclude()
export class ApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** Chosen by the owner. */
  @Expose() name!: string;
  /** The first two characters, `***`, the last two. */
  @Expose() @Masked() apiKey!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** To the minute; null before the first use. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
}

/** A new API key; the only response with the full key. */
@Exclude()
export class MadeApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() name!: string;
  /** The full key for `X-API-Key`; it cannot be retrieved again. */
  @Expose() apiKey!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
}

/** The body of key creation. */
export class MakeApiKey {
  @MinLength(1)
  @NoLongerThan(100)
  name!: string;
}
