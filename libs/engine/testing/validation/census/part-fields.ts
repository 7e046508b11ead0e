import { Type } from 'class-transformer';
import * as v from 'class-validator';
import { field, type Field } from './field';
import { USUAL_FIELDS } from './built-in-fields';

class Address {
  @v.IsString() street!: string;
  @v.IsString() @v.IsNotEmpty() city!: string;
  @v.IsOptional() @v.IsString() zip?: string;
}

class Line {
  @v.IsString() sku!: string;
  @v.IsInt() @v.Min(1) quantity!: number;
  @v.IsOptional() @v.ValidateNested() @Type(() => Address) origin?: Address;
}

class Shape {
  @v.IsIn(['circle', 'square']) kind!: string;
}
class Circle extends Shape {
  @v.IsNumber() radius!: number;
}
class Square extends Shape {
  @v.IsNumber() side!: number;
}

/** A class that contains itself. */
class Comment {
  @v.IsString() text!: string;
  @v.IsOptional() @v.ValidateNested({ each: true }) @Type(() => Comment) replies?: Comment[];
}

class Untyped {
  @v.IsString() label!: string;
}

const address = { street: 'Main', city: 'Bern' };
const line = { sku: 'a', quantity: 1 };
const shapes = {
  discriminator: {
    property: 'kind',
    subTypes: [
      { name: 'circle', value: Circle },
      { name: 'square', value: Square },
    ],
  },
};

/** The parts that have a class, and that are checked by its rules. */
export const PART_FIELDS: readonly Field[] = [
  field('address', Address, [v.ValidateNested(), Type(() => Address)], [address]),
  field('billing', Address, [v.IsOptional(), v.ValidateNested(), Type(() => Address)], [address, undefined]),
  field(
    'lines',
    Array,
    [v.IsArray(), v.ValidateNested({ each: true }), Type(() => Line)],
    [[line, { ...line, origin: address }], []],
  ),
  field('items', Array, [v.ArrayMinSize(1), v.ValidateNested({ each: true }), Type(() => Line)], [[line]]),
  field(
    'comments',
    Array,
    [v.ValidateNested({ each: true }), Type(() => Comment)],
    [[{ text: 'a', replies: [{ text: 'b' }] }]],
  ),
  field(
    'owner',
    Address,
    [v.IsDefined(), v.ValidateNested({ message: 'owner is wrong' }), Type(() => Address)],
    [address],
  ),
];

/** Parts that are typed but unchecked, checked but untyped, or selected by a field; also sets, maps, lists of lists. */
export const ODD_PART_FIELDS: readonly Field[] = [
  field('shipping', Address, [v.IsObject(), Type(() => Address)], [address]),
  field('parcels', Array, [v.IsArray(), Type(() => Line)], [[line]]),
  field('untyped', Object, [v.IsOptional(), v.ValidateNested()], [undefined]),
  field('noted', Untyped, [v.ValidateNested()], [{ label: 'a' }]),
  field('bare', Address, [Type(() => Address)], [address]),
  field(
    'shape',
    Shape,
    [v.ValidateNested(), Type(() => Shape, { keepDiscriminatorProperty: true, ...shapes })],
    [{ kind: 'circle', radius: 1 }],
  ),
  field(
    'figures',
    Array,
    [v.ValidateNested({ each: true }), Type(() => Shape, { keepDiscriminatorProperty: true, ...shapes })],
    [[{ kind: 'square', side: 1 }]],
  ),
  field('keywords', Set, [Type(() => String), v.IsOptional()], [['a', 'b']]),
  field('prices', Map, [Type(() => Number), v.IsOptional()], [{ a: 1 }]),
  field('matrix', Array, [v.IsArray(), v.IsArray({ each: true })], [[[1], [2]]]),
  field('grid', Array, [v.IsArray(), v.ValidateNested({ each: true }), Type(() => Line)], [[[line], [line]]]),
  field('links', Set, [v.ValidateNested({ each: true }), Type(() => Address)], [[address]]),
  field('byName', Map, [v.ValidateNested({ each: true }), Type(() => Address)], [{ a: address }]),
  field('words', Array, [v.IsString({ each: true }), Type(() => String)], [['a', 1]]),
];

/** A hundred fields for a single class, in the usual kinds. */
export const HUNDRED_FIELDS: readonly Field[] = Array.from({ length: 100 }, (_, at) => {
  const usual = USUAL_FIELDS[at % USUAL_FIELDS.length]!;
  return { ...usual, name: `${usual.name}${at}` };
});
