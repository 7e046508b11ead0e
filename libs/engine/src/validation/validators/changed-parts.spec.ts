import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsString,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { unlikeLibrary } from '../../../testing/validation/equality';
import { compileValidator } from './compile-validator';

type Change = (object: Order) => unknown;

/** A user's rule that changes the instance. */
function changing(change: Change) {
  const validate = (_: unknown, args?: { object: object }) => change(args!.object as Order) !== null;
  return ValidateBy({ name: 'changing', validator: { validate } });
}

class Line {
  @IsInt() count!: number;
  @ValidateNested() @Type(() => Line) next?: Line;
}

class Order {
  change?: unknown;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @ValidateNested() @Type(() => Line) first!: Line;
  @IsArray() @ArrayMaxSize(2) @IsString({ each: true }) tags!: string[];
}

/** The properties are in the order of their first decorator: the changing rule is called before the others. */
function orderChangedBy(
  declare: (prototype: object) => void,
  Base: new () => object = Object,
): new () => Order {
  class Changed extends Base {
    change!: unknown;
    lines!: Line[];
    first!: Line;
    tags!: string[];
  }
  declare(Changed.prototype);
  for (const name of ['lines', 'first'])
    for (const decorate of [ValidateNested({ each: name === 'lines' }), Type(() => Line)])
      decorate(Changed.prototype, name);
  for (const decorate of [IsArray(), ArrayMaxSize(2), IsString({ each: true })])
    decorate(Changed.prototype, 'tags');
  return Changed as new () => Order;
}

const input = () => ({
  change: 1,
  lines: [{ count: 1 }, { count: 2, next: { count: 3 } }],
  first: { count: 1, next: { count: 'x' } },
  tags: ['a'],
});

const CHANGES: readonly Change[] = [
  ({ lines }) => (lines[1]!.count = 'x' as never),
  ({ lines }) => (lines[1]!.next!.count = 0.5),
  ({ lines }) => lines.push({ count: 1 } as Line),
  ({ lines }) => lines.copyWithin(0, 1),
  ({ lines }) => Object.assign(lines[0]!, { unknown: 1 }),
  ({ first }) => (first.next!.count = 1),
  ({ first }) => (first.next = undefined),
  ({ first }) => Reflect.deleteProperty(first, 'count'),
  ({ tags }) => tags.push('b', 'c'),
  ({ tags }) => (tags[0] = 1 as never),
];

/** Defines what a constructor may define. */
class Constructed {
  change!: unknown;
  constructor() {
    Object.defineProperty(this, 'own', { value: 1 });
  }
}

describe('what a rule of the user changes inside of a value that was tested before', () => {
  const options = { whitelist: true, forbidNonWhitelisted: true };

  it.each(CHANGES.map((change) => [String(change), change] as const))(
    'is validated: %s',
    async (_, change) => {
      const byRule = orderChangedBy((prototype) => changing(change)(prototype, 'change'));
      const byCondition = orderChangedBy((prototype) =>
        ValidateIf((order: Order) => change(order) !== null)(prototype, 'change'),
      );
      const constructed = orderChangedBy((prototype) => changing(change)(prototype, 'change'), Constructed);
      for (const type of [byRule, byCondition, constructed]) {
        expect(compileValidator(type).explain().how).toBe('code');
        for (const choice of [
          {},
          options,
          { ...options, stopAtFirstError: true },
          { skipMissingProperties: true },
        ])
          expect(await unlikeLibrary(type, choice, input)).toBeUndefined();
      }
    },
  );
});
