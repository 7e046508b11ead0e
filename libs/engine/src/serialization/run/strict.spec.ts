import 'reflect-metadata';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { UndeclaredPartError } from '../errors';
import { responseWriter } from './response-writer';

@Exclude()
class User {
  @Expose() id!: number;
  password!: string;
}

/** Closed by its superclass only. */
class Subclass extends User {}

class Entity {
  password = 'SECRET';
}

@Exclude()
class Envelope {
  @Expose() untyped: unknown;
  @Expose() @Type(() => User) user!: unknown;
  @Expose() @Type(() => Object) json!: unknown;
  @Expose() @Transform(({ value }) => value?.id, { toPlainOnly: true }) idOf!: unknown;
  @Expose() @Transform(({ obj }) => obj.source, { toPlainOnly: true }) looked!: unknown;
  source!: unknown;

  @Expose() get worked(): unknown {
    return this.source;
  }
}

@Exclude()
class Outer {
  @Expose() @Type(() => Envelope) parts!: unknown;
}

const { write } = responseWriter(Envelope, {}, { hardened: true, strict: true });
const outer = responseWriter(Outer, {}, { hardened: true, strict: true });
const row = () => ({ id: 1, password: 'SECRET' });

const rejected: readonly (readonly [string, unknown])[] = [
  ['a row', row()],
  ['a list of rows', [row()]],
  ['a list of lists of rows', [1, [[row()]]]],
  ['a Map of rows', new Map([['a', row()]])],
  ['a Set of rows', new Set([row()])],
  ['an instance of an open class', new Entity()],
  ['an object without a class', Object.assign(Object.create(null), row())],
  ['a function that returns a row', row],
];

describe('a strict writer', () => {
  it.each(rejected)(
    'rejects %s where no class is declared, in rows and instances, at any depth',
    (_, untyped) => {
      for (const value of [{ untyped }, Object.assign(new Envelope(), { untyped })]) {
        for (const attempt of [
          () => write(value),
          () => write([{ untyped: 1 }, value]),
          () => outer.write({ parts: value }),
          () => outer.write(Object.assign(new Outer(), { parts: [value] })),
        ]) {
          expect(attempt).toThrow(UndeclaredPartError);
          expect(attempt).toThrow(/^Envelope\.untyped holds an object and has no class\. Put @Type/);
        }
      }
    },
  );

  it('rejects it as the result of a transform or a getter, too', () => {
    expect(() => write({ source: row() })).toThrow('Envelope.looked holds an object');
    expect(() => write({ source: [new Entity()] })).toThrow(UndeclaredPartError);
    expect(JSON.parse(write({ idOf: row() }))).toEqual({ idOf: 1 });
  });

  it('writes all other values', () => {
    const at = new Date(0);
    expect(JSON.parse(write({ untyped: [1, 'a', null, at, Object.assign(new Subclass(), row())] }))).toEqual({
      untyped: [1, 'a', null, at.toISOString(), { id: 1 }],
    });
    expect(write({ user: [row(), Object.assign(new Subclass(), row())] })).toBe(
      '{"user":[{"id":1},{"id":1}]}',
    );
    expect(write({ user: new Map([['a', row()]]) })).toBe('{"user":{"a":{"id":1}}}');
    expect(write({ json: { any: [{ form: 1, of: Object.assign(new User(), row()) }] } })).toBe(
      '{"json":{"any":[{"form":1,"of":{"id":1}}]}}',
    );
  });
});
