import { NoMoreThan, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsArray, IsString, MinLength, ValidateNested } from 'class-validator';

/** One line of a new order. */
export class OrderItem {
  @IsString() sku!: string;
  @MinLength(1) quantity!: string;
}

/** Each line is a row, and is read with every page of orders. */
const maxLines = 1000;

export class CreateOrder {
  @IsArray()
  @NoMoreThan(maxLines)
  @ValidateNested({ each: true })
  @Type(() => OrderItem)
  items!: OrderItem[];
}

/** One line of a stored order. */
@Exclude()
export class OrderLine {
  @Expose() sku!: string;
  @Expose() quantity!: string;
}

/** An order, for its owner only. */
@Exclude()
export class Order {
  @Expose() @Schema({ type: 'integer' }) id!: number;

  /** In the order of the request. */
  @Expose()
  @Type(() => OrderLine)
  items!: OrderLine[];

  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}
