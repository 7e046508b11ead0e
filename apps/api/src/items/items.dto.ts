import { Filterable, PaginationQuery, Sortable } from '@app/paging';
import { IfGiven, NoLongerThan, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsInt, Max, Min, MinLength } from 'class-validator';

/** An item of the catalogue. */
@Exclude()
export class Item {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  @Expose() sku!: string;
  /** @example Green tea */
  @Expose() name!: string;
  /** The price in the currency's minor unit: 1999 is 19.99. */
  @Expose() @Schema({ type: 'integer' }) price!: number;
  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** The query parameters for listing items. */
@Sortable(Item, 'sku', 'name', 'price')
@Filterable('sku')
export class ItemsQuery extends PaginationQuery {
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(64)
  sku?: string;
}

export class CreateItem {
  @MinLength(1)
  @NoLongerThan(64)
  sku!: string;

  /** @example Green tea */
  @MinLength(1)
  @NoLongerThan(200)
  name!: string;

  /** The price in the currency's minor unit: 1999 is 19.99. */
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  price!: number;
}

/** The changes to an item. Absent fields stay unchanged. */
export class UpdateItem {
  @IfGiven()
  @MinLength(1)
  @NoLongerThan(64)
  sku?: string;

  /** @example Green tea */
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
