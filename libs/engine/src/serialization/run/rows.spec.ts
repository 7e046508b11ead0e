import 'reflect-metadata';
import { fullOptions } from '../../shapes/transforms/full-options';
import { Exclude, Expose, Type } from 'class-transformer';
import * as fc from 'fast-check';
import { referenceInstance } from '../../../testing/serialization/equality/reference-instance';
import { outcomeOf } from '../../../testing/serialization/equality/outcome';
import { Masked } from '../masked';
import { listOf } from '../../../testing/serialization/list-of';
import { writerOf } from './writer';
import { referenceToPlain } from '../plan/reference';

@Exclude()
class Line {
  @Expose() sku!: string;
  @Expose({ name: 'count' }) quantity!: number;
}

@Exclude()
class Order {
  @Expose() id!: number;
  @Expose() @Type(() => Line) items!: Line[];
  @Expose() @Type(() => Line) gift!: Line;
  @Expose() createdAt!: Date;
  @Expose() @Type(() => Object) detail!: object;
  @Expose() @Masked() key!: string;
  @Expose({ groups: ['admin'] }) note!: string;
}

class Entity {}

class Subclass extends Entity {
  quantity = 7;
  toJSON() {
    return 'own way';
  }
}

class Working {
  get sku(): string {
    return 'worked out';
  }
  get key(): string {
    return 'worked out too';
  }
}

/** A row of any kind of store: the same fields in a plain object, or in an instance of some class. */
function rowOf(fields: fc.Arbitrary<object>): fc.Arbitrary<object> {
  const kinds = [Object, Object, Entity, Entity, Subclass, Subclass, Line, Order, Working, Map];
  return fc.tuple(fc.constantFrom(...kinds), fields).map(([kind, values]) => {
    const row: object = new kind();
    for (const [key, value] of Object.entries(values)) Reflect.set(row, key, value);
    return row;
  });
}

const scalar = fc.oneof(
  { weight: 8, arbitrary: fc.string() },
  { weight: 4, arbitrary: fc.double() },
  { weight: 4, arbitrary: fc.date({ noInvalidDate: false }) },
  { weight: 4, arbitrary: fc.constantFrom(null, undefined, true) },
  { weight: 1, arbitrary: fc.constantFrom(10n, () => 'called', [1, [2]]) },
);
const line = rowOf(fc.record({ sku: scalar, quantity: scalar, orderId: scalar }, { requiredKeys: [] }));
const lines = fc.array(fc.oneof({ weight: 8, arbitrary: line }, scalar), { maxLength: 4 });
const order = rowOf(
  fc.record(
    {
      accountId: scalar,
      id: scalar,
      items: fc.oneof({ weight: 4, arbitrary: lines }, line, scalar),
      gift: fc.oneof(line, scalar),
      createdAt: scalar,
      detail: fc.oneof(line, lines, scalar, fc.object({ withDate: true, maxDepth: 2 })),
      key: scalar,
      note: scalar,
    },
    { requiredKeys: [] },
  ),
);

describe('rows of any class, on a route that declares another', () => {
  it.each([
    ['an order', Order],
    ['a page of orders', listOf(Order)],
  ])('are written like %s that is created from them', (_, type) => {
    const answers =
      type === Order ? order : fc.record({ items: fc.array(order, { maxLength: 3 }), page: scalar });
    const writers = [{}, { groups: ['admin'] }, { exposeUnsetFields: false }].map((options) => ({
      library: (value: unknown) =>
        referenceToPlain(value, fullOptions(options), { isHardened: true, isStrict: false }),
      writer: writerOf(type, options, { isHardened: true }),
    }));
    const isSame = fc.property(answers, fc.constantFrom(...writers), (answer, { library, writer }) => {
      const expected = outcomeOf(() => JSON.stringify(library(referenceInstance(type, answer))));
      expect(outcomeOf(() => writer.write(answer))).toEqual(expected);
    });
    fc.assert(isSame, { numRuns: 4000 });
    for (const { writer } of writers) expect(writer.explain().direct).toBeGreaterThan(100);
  });
});
