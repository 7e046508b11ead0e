import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { FastifyReply } from 'fastify';
import { of } from 'rxjs';
import { listOf } from '@app/engine/testing';
import type { RowOf } from './row-of';
import { Returns } from './returns.decorator';

@Exclude()
class Line {
  @Expose() sku!: string;
}

@Exclude()
class Order {
  @Expose() id!: number;
  @Expose({ name: 'placed_at' }) createdAt!: Date;
  @Expose() note!: string | null;
  @Expose() gift?: boolean;
  @Expose() @Type(() => Line) items!: Line[];
  @Expose() @Type(() => Line) first!: Line | null;
  /** Computed from other fields. */
  @Expose() @Transform(({ obj }) => obj.items.length) readonly size!: number;

  @Expose() get total(): number {
    return this.items.length;
  }

  ship(): void {}
}

const row = {
  id: 1,
  createdAt: new Date(0),
  note: null,
  items: [{ sku: 'A-1', orderId: 1 }],
  first: { sku: 'A-1' },
  accountId: 7,
};

/** Compiled by `npm run types`, where a missing expected error is an error. */
class Handlers {
  @Returns(Order) row() {
    return row;
  }

  @Returns(Order) async promisedRow() {
    return row;
  }

  @Returns(Order) observable() {
    return of(row);
  }

  @Returns(Order, { groups: ['admin'] }) async instance(_id: number): Promise<Order> {
    return new Order();
  }

  @Returns(Order) either(order?: Order) {
    return order ?? row;
  }

  @Returns(Order) refusing(): never {
    throw new Error('refused');
  }

  @Returns(Order) byReply(reply: FastifyReply) {
    return reply.send(row);
  }

  @Returns([Order]) async list(): Promise<readonly RowOf<Order>[]> {
    return [row, new Order()];
  }

  @Returns(listOf(Order)) async page() {
    return { items: [row], total: 1 };
  }

  @Returns('anything') anything() {
    return row;
  }

  // @ts-expect-error A member is missing.
  @Returns(Order) missing() {
    const { note: _, ...rest } = row;
    return rest;
  }

  // @ts-expect-error A member is missing, and promised.
  @Returns(Order) async missingLater() {
    const { note: _, ...rest } = row;
    return rest;
  }

  // @ts-expect-error It may be absent.
  @Returns(Order) perhaps(note?: string) {
    return { ...row, note };
  }

  // @ts-expect-error It may be null, and an optional member may not.
  @Returns(Order) nullable(gift: boolean | null) {
    return { ...row, gift };
  }

  // @ts-expect-error The text of a date is not a date.
  @Returns(Order) text() {
    return { ...row, createdAt: '2026-11-22T00:00:00.000Z' };
  }

  // @ts-expect-error An exposed name is not a property of the row.
  @Returns(Order) wireName() {
    const { createdAt, ...rest } = row;
    return { ...rest, placed_at: createdAt };
  }

  // @ts-expect-error A part lacks a member.
  @Returns(Order) part() {
    return { ...row, items: [{ orderId: 1 }] };
  }

  // @ts-expect-error A computed member may be present, but not with another type.
  @Returns(Order) total() {
    return { ...row, total: 'much' };
  }

  // @ts-expect-error A missing row is not declared.
  @Returns(Order) async found(): Promise<Order | undefined> {
    return undefined;
  }

  // @ts-expect-error Nothing is returned.
  @Returns(Order) async forgotten() {
    await Promise.resolve(row);
  }

  // @ts-expect-error A list where a single object is declared.
  @Returns(Order) many() {
    return [row];
  }

  // @ts-expect-error A single object where a list is declared.
  @Returns([Order]) one() {
    return row;
  }

  // @ts-expect-error An object of unknown type.
  @Returns(Order) unknown(): object {
    return row;
  }

  // @ts-expect-error A page of rows that lack a member.
  @Returns(listOf(Order)) async poorPage() {
    return { items: [{ id: 1 }] };
  }
}

describe('a row of a wire class', () => {
  it('has the members that the class does not compute, with their types', () => {
    expectTypeOf(row).toExtend<RowOf<Order>>();
    expectTypeOf<Order>().toExtend<RowOf<Order>>();
    expectTypeOf<{ id: number }>().not.toExtend<RowOf<Order>>();
    expectTypeOf<keyof RowOf<Order>>().toEqualTypeOf<
      'id' | 'createdAt' | 'note' | 'gift' | 'items' | 'first' | 'size' | 'total'
    >();
    expectTypeOf<RowOf<Order>['items']>().toEqualTypeOf<readonly RowOf<Line>[]>();
    expectTypeOf<RowOf<Order>['total']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<RowOf<unknown>>().toBeUnknown();
    expectTypeOf<RowOf<Map<string, Line>>>().toEqualTypeOf<Map<string, Line>>();
  });

  it('is required by a decorator that does not compile with another return type', () => {
    expect(Object.getOwnPropertyNames(Handlers.prototype)).toContain('missing');
  });
});
