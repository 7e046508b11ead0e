import { NoLongerThan } from '@app/validation';
import { Masked } from '@app/serialization';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { MinLength } from 'class-validator';

/** A key in a list, masked. */
@Exclude()
export class ApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** The name that its owner gave it. */
  @Expose() name!: string;
  /** The first two characters, `***`, the last two. */
  @Expose() @Masked() apiKey!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** To the minute; null before the first use. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
}

/** A new key, returned once. */
@Exclude()
export class MadeApiKey {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() name!: string;
  /** The whole key, to be sent as `X-API-Key`. It cannot be retrieved again. */
  @Expose() apiKey!: string;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) lastUsedAt!: Date | null;
}

/** A new key. */
export class MakeApiKey {
  @MinLength(1)
  @NoLongerThan(100)
  name!: string;
}
