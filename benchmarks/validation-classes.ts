import { Transform, Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

export class UserCreate {
  @IsEmail() email!: string;
  @MinLength(8) password!: string;
}

export class OrderItem {
  @IsString() @Length(3, 20) sku!: string;
  @IsString() @MaxLength(80) title!: string;
  @IsInt() @Min(1) @Max(999) quantity!: number;
  @IsNumber() @Min(0) price!: number;
  @IsOptional() @IsBoolean() isGift?: boolean;
}

export class Address {
  @IsString() @MaxLength(100) street!: string;
  @IsString() @MaxLength(60) city!: string;
  @Matches(/^[0-9]{5}$/) zip!: string;
  @IsIn(['DE', 'FR', 'NL', 'US']) country!: string;
}

export class CreateOrder {
  @IsUUID() id!: string;
  @IsISO8601() placedAt!: string;
  @IsOptional() @IsString() @MaxLength(200) note?: string;
  @IsArray() @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => OrderItem) items!: OrderItem[];
  @ValidateNested() @Type(() => Address) address!: Address;
}

/** A class with two transforms, a custom rule and a condition, as in many programs. */
export class Profile {
  @IsString()
  @MinLength(3)
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  name!: string;
  @IsEmail()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  email!: string;
  @IsBoolean() isCompany!: boolean;
  @ValidateIf((profile: Profile) => profile.isCompany) @IsString() company?: string;
  @ValidateBy({ name: 'isEven', validator: { validate: (value) => Number(value) % 2 === 0 } }) seats!: number;
  @IsString({ each: true }) @IsArray() tags!: string[];
}

export const profile = () => ({
  name: ' Ada ',
  email: 'Ada@Example.org',
  isCompany: true,
  company: 'Acme',
  seats: 4,
  tags: ['a', 'b'],
});

/** A class with a hundred fields. */
export class Wide {}

for (let at = 0; at < 50; at++) {
  IsString()(Wide.prototype, `text${at}`);
  MaxLength(80)(Wide.prototype, `text${at}`);
  IsInt()(Wide.prototype, `count${at}`);
}

export const wide = () =>
  Object.fromEntries(
    Array.from({ length: 50 }, (_, at): [string, unknown][] => [
      [`text${at}`, 'some text'],
      [`count${at}`, at],
    ]).flat(),
  );

/** Declares further decorated classes with eight rules each. */
export function declareOthers(count: number): void {
  for (let at = 0; at < count; at++) {
    const generatedClass = class {};
    for (let field = 0; field < 4; field++) {
      IsString()(generatedClass.prototype, `field${field}`);
      MaxLength(20)(generatedClass.prototype, `field${field}`);
    }
  }
}

export const user = () => ({ email: 'ada.lovelace@example.org', password: 'correct horse' });

export const badUser = () => ({ email: 'ada.lovelace@', password: 'short', isAdmin: true });

export const order = () => ({
  id: '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a',
  placedAt: '2026-11-20T12:30:15.123Z',
  note: 'Please ring twice.',
  items: Array.from({ length: 10 }, (_, at) => ({
    sku: `SKU-${1000 + at}`,
    title: `A thing of some use, number ${at}`,
    quantity: at + 1,
    price: 9.5 + at,
    isGift: at % 2 === 0,
  })),
  address: { street: 'Main Street 1', city: 'Springfield', zip: '12345', country: 'US' },
});

/** Creates an order with five invalid values in three places, and an undeclared field. */
export const badOrder = () => {
  const invalid: Record<string, unknown> & ReturnType<typeof order> = order();
  invalid.placedAt = 'yesterday';
  Object.assign(invalid.items[3] as object, { quantity: 0, sku: 'x' });
  Object.assign(invalid.address, { zip: '1234', country: 'XX' });
  Object.assign(invalid, { coupon: 'FREE' });
  return invalid;
};

/** Returns copies of the same order. Their keys, and the keys in nested objects, are in random order. */
export const shuffledOrders = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => shuffle(order(), at + 1) as object);

function shuffle(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((item, at) => shuffle(item, seed * 31 + at));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member], at) => ({
    key,
    member,
    rank: (seed * 7919 * (at + 3)) % 101,
  }));
  entries.sort((left, right) => left.rank - right.rank);
  return Object.fromEntries(entries.map(({ key, member }) => [key, shuffle(member, seed + 1)]));
}
