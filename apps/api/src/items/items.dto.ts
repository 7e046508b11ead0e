import { IfGiven, NoLongerThan } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsInt, Max, Min, MinLength } from 'class-validator';

/** An item of the catalogue, as it is sent. */
@Exclude()
export class Item {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() sku!: string;
  @Expose() name!: string;
  /** In minor units of the currency: 1999 is 19.99. */
  @Expose() @Schema({ type: 'integer' }) price!: number;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

export class CreateItem {
  @MinLength(1)
  @NoLongerThan(64)
  sku!: string;

  @MinLength(1)
  @NoLongerThan(200)
  name!: string;

  /** In minor units of the currency, an integer, so that nothing is rounded. */
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  price!: number;
}

/** Absent fields are not changed. */
export class UpdateItem {
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(64)
  sku?: string;

  @IfGiven()
  @MinLength(1)
  @NoLongerThan(200)
  name?: string;

  @IfGiven()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  price?: number;
}
