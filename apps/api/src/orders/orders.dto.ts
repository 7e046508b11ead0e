import { NoMoreThan, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsArray, IsString, MinLength, ValidateNested } from 'class-validator';

/** A line in a new order. */
export class OrderItem {
  @IsString() sku!: string;
  @MinLength(1) quantity!: string;
}

/** The maximum is low because each line is a row that every page of orders reads. */
const maxLines = 200;

export class CreateOrder {
  @IsArray()
  @NoMoreThan(maxLines)
  @ValidateNested({ each: true })
  @Type(() => OrderItem)
  items!: OrderItem[];
}

/** A line in a stored order. */
@Exclude()
export class OrderLine {
  @Expose() sku!: string;
  @Expose() quantity!: string;
}

/** An order, visible to its owner only. */
@Exclude()
export class Order {
  @Expose() @Schema({ type: 'integer' }) id!: number;

  /** The order lines, in the order in which the client sent them. */
  @Expose()
  @Type(() => OrderLine)
  items!: OrderLine[];

  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}
