import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  registerDecorator,
  ValidateIf,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';

export enum Size {
  Small = 'small',
  Large = 'large',
}

/** A custom rule. It is asynchronous, like a rule that queries a database. */
function IsKnownCode(options?: ValidationOptions): PropertyDecorator {
  return (target, name) =>
    registerDecorator({
      name: 'isKnownCode',
      target: target.constructor,
      propertyName: String(name),
      options: options ?? { message: '$property is not known: $value' },
      validator: { validate: async (value: unknown) => value !== 'unknown' },
    });
}

export class Address {
  @IsString() @Length(2, 60) street!: string;
  @Matches(/^\d{4,6}$/, { message: 'a zip has 4 to 6 digits' }) zip!: string;
  @IsOptional() @IsIn(['de', 'fr', 'it']) country?: string;
}

export class Item {
  @IsString() @IsNotEmpty() @MaxLength(40) sku!: string;
  @Type(() => Number) @IsInt() @Min(1) @Max(999) quantity!: number;
  @IsOptional() @IsEnum(Size) size?: Size;
}

export class CreateOrder {
  @IsEmail() email!: string;
  @IsUUID() @IsOptional() reference?: string;
  @IsDateString() @IsOptional() dueAt?: string;
  @ValidateNested() @Type(() => Address) address!: Address;
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ValidateNested({ each: true })
  @Type(() => Item)
  items!: Item[];
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() : (value as unknown)))
  @ValidateIf((order: CreateOrder) => order.isGift === true)
  @IsString()
  @Length(1, 20)
  note?: string;
  @IsOptional() @IsBoolean() isGift?: boolean;
}

export class CreateCode {
  @IsKnownCode() @IsString() code!: string;
}

export class ListOrders {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit = 10;
  @IsOptional() @IsString({ each: true }) tags?: string[];
}

export class ItemView {
  @Expose() sku!: string;
  @Expose() quantity!: number;
  @Exclude() costCents = 1;
}

export class OrderView {
  @Expose() id!: number;
  @Expose() email!: string;
  @Exclude() passwordHash!: string;
  @Type(() => ItemView) items!: ItemView[];
  @Transform(({ value }) => `***${String(value).slice(-2)}`) card!: string;
  @Expose({ groups: ['staff'] }) note?: string;
  createdAt!: Date;

  constructor(values: Partial<OrderView>) {
    Object.assign(this, values);
  }

  @Expose() get total(): number {
    return this.items?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  }
}
