import 'reflect-metadata';
import { Exclude, Expose, Type } from 'class-transformer';
import * as fc from 'fast-check';
import { UndeclaredPartError } from '../errors';
import { listOf } from '../../../testing/serialization/list-of';
import { writerOf } from './writer';

/** The value of every field that is not exposed: it must not be in any output. */
const SECRET = 'SECRET';

@Exclude()
class User {
  @Expose() id!: unknown;
  @Expose({ groups: ['admin'] }) role!: unknown;
}

/** Closed by its superclass only. */
class Subclass extends User {}

@Exclude()
class Order {
  @Expose() id!: unknown;
  @Expose() @Type(() => User) owner!: unknown;
  @Expose() @Type(() => User) readers!: unknown;
  @Expose() @Type(() => Order) before!: unknown;
  @Expose() untyped: unknown;
}

/** A class without class-transformer decorators, like an ORM entity. */
class Entity {
  password = SECRET;
}

const scalars = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.date());

/** Rows, instances of the class and of others, Maps, Sets and lists of these, to any depth. */
const { anything: anythingAtAll } = fc.letrec<{ anything: unknown; row: object }>((tie) => ({
  row: fc.dictionary(
    fc.constantFrom('id', 'role', 'owner', 'readers', 'before', 'untyped', 'items', 'page', 'other'),
    tie('anything'),
    { maxKeys: 5 },
  ),
  anything: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    tie('row').map((row) => Object.assign({ password: SECRET }, row)),
    tie('row').map((row) => Object.assign(new User(), row, { password: SECRET })),
    tie('row').map((row) => Object.assign(new Subclass(), row, { salary: SECRET })),
    tie('row').map((row) => Object.assign(new Order(), row, { note: SECRET })),
    tie('row').map((row) => Object.assign(new Entity(), row)),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.array(tie('anything'), { maxLength: 2 }).map((all) => new Set(all)),
    fc
      .array(tie('anything'), { maxLength: 2 })
      .map((all) => new Map(all.map((value, at) => [`k${at}`, value]))),
  ),
}));

const writers = [User, Subclass, Order, listOf(Order)].flatMap((type) =>
  [{}, { groups: ['admin'] }, { enableCircularCheck: true }].map((options) =>
    writerOf(type, options, { isHardened: true, isStrict: true }),
  ),
);

describe('a hardened route', () => {
  it('sends only exposed fields, whatever its handler returns, or nothing', () => {
    let written = 0;
    fc.assert(
      fc.property(anythingAtAll, (returned) => {
        for (const { write } of writers) {
          const sent = sentBy(write, returned);
          expect(sent ?? '').not.toContain(SECRET);
          if (sent !== undefined) written += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(written).toBeGreaterThan(300);
  });
});

/** @returns `undefined` if the writer throws */
function sentBy(write: (returned: unknown) => string | undefined, returned: unknown): string | undefined {
  try {
    return write(returned);
  } catch (error) {
    if (error instanceof UndeclaredPartError) return undefined;
    throw error;
  }
}
