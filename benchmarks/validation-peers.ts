import { type } from 'arktype';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { isEmail } from 'class-validator';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import * as z from 'zod';
import { Address, CreateOrder, OrderItem, UserCreate } from './validation-classes.ts';

const item = {
  type: 'object',
  required: ['sku', 'title', 'quantity', 'price'],
  additionalProperties: false,
  properties: {
    sku: { type: 'string', minLength: 3, maxLength: 20 },
    title: { type: 'string', maxLength: 80 },
    quantity: { type: 'integer', minimum: 1, maximum: 999 },
    price: { type: 'number', minimum: 0 },
    isGift: { type: 'boolean', nullable: true },
  },
};

const address = {
  type: 'object',
  required: ['street', 'city', 'zip', 'country'],
  additionalProperties: false,
  properties: {
    street: { type: 'string', maxLength: 100 },
    city: { type: 'string', maxLength: 60 },
    zip: { type: 'string', pattern: '^[0-9]{5}$' },
    country: { enum: ['DE', 'FR', 'NL', 'US'] },
  },
};

const orderSchema = {
  type: 'object',
  required: ['id', 'placedAt', 'items', 'address'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', format: 'uuid' },
    placedAt: { type: 'string', format: 'iso-date-time' },
    note: { type: 'string', maxLength: 200, nullable: true },
    items: { type: 'array', minItems: 1, items: item },
    address,
  },
};

const userSchema = {
  type: 'object',
  required: ['email', 'password'],
  additionalProperties: false,
  properties: { email: { type: 'string', format: 'email' }, password: { type: 'string', minLength: 8 } },
};

function ajv(options: { allErrors: boolean; ownEmail?: boolean }) {
  const validator = new Ajv({ allErrors: options.allErrors });
  const plugin = addFormats as unknown as (target: Ajv) => void;
  plugin(validator);
  if (options.ownEmail) validator.addFormat('email', (text: string) => isEmail(text));
  return validator;
}

export const ajvUser = ajv({ allErrors: false }).compile(userSchema);
export const ajvUserAll = ajv({ allErrors: true }).compile(userSchema);
export const ajvUserOwnEmail = ajv({ allErrors: false, ownEmail: true }).compile(userSchema);
export const ajvOrder = ajv({ allErrors: false }).compile(orderSchema);
export const ajvOrderAll = ajv({ allErrors: true }).compile(orderSchema);

const closed = { additionalProperties: false };
const orNull = (schema: Parameters<typeof Type.Union>[0][number]) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

export const typeboxUser = Compile(
  Type.Object({ email: Type.String({ format: 'email' }), password: Type.String({ minLength: 8 }) }, closed),
);

const addressType = Type.Object(
  {
    street: Type.String({ maxLength: 100 }),
    city: Type.String({ maxLength: 60 }),
    zip: Type.String({ pattern: '^[0-9]{5}$' }),
    country: Type.Enum(['DE', 'FR', 'NL', 'US']),
  },
  closed,
);

export const typeboxAddress = Compile(addressType);

export const typeboxOrder = Compile(
  Type.Object(
    {
      id: Type.String({ format: 'uuid' }),
      placedAt: Type.String({ format: 'date-time' }),
      note: orNull(Type.String({ maxLength: 200 })),
      items: Type.Array(
        Type.Object(
          {
            sku: Type.String({ minLength: 3, maxLength: 20 }),
            title: Type.String({ maxLength: 80 }),
            quantity: Type.Integer({ minimum: 1, maximum: 999 }),
            price: Type.Number({ minimum: 0 }),
            isGift: orNull(Type.Boolean()),
          },
          closed,
        ),
        { minItems: 1 },
      ),
      address: addressType,
    },
    closed,
  ),
);

export const zodUser = z.strictObject({ email: z.email(), password: z.string().min(8) });

export const zodOrder = z.strictObject({
  id: z.uuid(),
  placedAt: z.iso.datetime(),
  note: z.string().max(200).nullish(),
  items: z
    .array(
      z.strictObject({
        sku: z.string().min(3).max(20),
        title: z.string().max(80),
        quantity: z.int().min(1).max(999),
        price: z.number().min(0),
        isGift: z.boolean().nullish(),
      }),
    )
    .min(1),
  address: z.strictObject({
    street: z.string().max(100),
    city: z.string().max(60),
    zip: z.string().regex(/^[0-9]{5}$/),
    country: z.enum(['DE', 'FR', 'NL', 'US']),
  }),
});

export const arktypeUser = type({ '+': 'reject', email: 'string.email', password: 'string >= 8' });

const arktypeItem = type({
  '+': 'reject',
  sku: '3 <= string <= 20',
  title: 'string <= 80',
  quantity: '1 <= number.integer <= 999',
  price: 'number >= 0',
  'isGift?': 'boolean | null',
});

export const arktypeOrder = type({
  '+': 'reject',
  id: 'string.uuid',
  placedAt: 'string.date.iso',
  'note?': 'string <= 200 | null',
  items: arktypeItem.array().atLeastLength(1),
  address: {
    '+': 'reject',
    street: 'string <= 100',
    city: 'string <= 60',
    zip: /^[0-9]{5}$/,
    country: "'DE' | 'FR' | 'NL' | 'US'",
  },
});

/** Returns the messages of all errors, which arktype creates when they are read. */
export function arktypeErrors(result: unknown): readonly string[] {
  return result instanceof type.errors ? result.map(({ message }) => message) : [];
}

const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const ZIP = /^[0-9]{5}$/;

function onlyKeys(value: object, allowed: ReadonlySet<string>): boolean {
  for (const key in value) if (!allowed.has(key)) return false;
  return true;
}

const USER_KEYS = new Set(['email', 'password']);
const ITEM_KEYS = new Set(['sku', 'title', 'quantity', 'price', 'isGift']);
const ADDRESS_KEYS = new Set(['street', 'city', 'zip', 'country']);
const ORDER_KEYS = new Set(['id', 'placedAt', 'note', 'items', 'address']);

/** Validates a class with hand-written code and a regular expression instead of validator.js's e-mail check. */
export function handUser(value: UserCreate): UserCreate | undefined {
  if (typeof value !== 'object' || value === null || !onlyKeys(value, USER_KEYS)) return undefined;
  const { email, password } = value;
  if (typeof email !== 'string' || !EMAIL.test(email)) return undefined;
  if (typeof password !== 'string' || password.length < 8) return undefined;
  const user = new UserCreate();
  user.email = email;
  user.password = password;
  return user;
}

function handItem(value: OrderItem): OrderItem | undefined {
  if (typeof value !== 'object' || value === null || !onlyKeys(value, ITEM_KEYS)) return undefined;
  const { sku, title, quantity, price, isGift } = value;
  if (typeof sku !== 'string' || sku.length < 3 || sku.length > 20) return undefined;
  if (typeof title !== 'string' || title.length > 80) return undefined;
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > 999) return undefined;
  if (!Number.isFinite(price) || price < 0) return undefined;
  if (isGift !== undefined && isGift !== null && typeof isGift !== 'boolean') return undefined;
  const orderItem = new OrderItem();
  orderItem.sku = sku;
  orderItem.title = title;
  orderItem.quantity = quantity;
  orderItem.price = price;
  orderItem.isGift = isGift;
  return orderItem;
}

function handAddress(value: Address): Address | undefined {
  if (typeof value !== 'object' || value === null || !onlyKeys(value, ADDRESS_KEYS)) return undefined;
  const { street, city, zip, country } = value;
  if (typeof street !== 'string' || street.length > 100) return undefined;
  if (typeof city !== 'string' || city.length > 60) return undefined;
  if (typeof zip !== 'string' || !ZIP.test(zip)) return undefined;
  if (country !== 'DE' && country !== 'FR' && country !== 'NL' && country !== 'US') return undefined;
  const shipTo = new Address();
  shipTo.street = street;
  shipTo.city = city;
  shipTo.zip = zip;
  shipTo.country = country;
  return shipTo;
}

export function handOrder(value: CreateOrder): CreateOrder | undefined {
  if (typeof value !== 'object' || value === null || !onlyKeys(value, ORDER_KEYS)) return undefined;
  const { id, placedAt, note, items } = value;
  if (typeof id !== 'string' || !UUID.test(id)) return undefined;
  if (typeof placedAt !== 'string' || !MOMENT.test(placedAt)) return undefined;
  if (note !== undefined && note !== null && (typeof note !== 'string' || note.length > 200))
    return undefined;
  if (!Array.isArray(items) || items.length < 1) return undefined;
  const madeItems: OrderItem[] = [];
  for (const line of items) {
    const checked = handItem(line);
    if (checked === undefined) return undefined;
    madeItems.push(checked);
  }
  const madeAddress = handAddress(value.address);
  if (madeAddress === undefined) return undefined;
  const order = new CreateOrder();
  order.id = id;
  order.placedAt = placedAt;
  order.note = note;
  order.items = madeItems;
  order.address = madeAddress;
  return order;
}
