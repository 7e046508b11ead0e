import 'reflect-metadata';
import { Exclude, Expose, Type } from 'class-transformer';
import { closedWriter } from './closed-writer';
import { OpenWireClassError, UndeclaredPartError } from '../errors';

@Exclude()
class Line {
  @Expose() sku!: string;
}

@Exclude()
class Order {
  @Expose() id!: number;
  @Expose() @Type(() => Line) items!: Line[];
  @Expose() note: unknown;
}

class Open {
  @Expose() id!: number;
}

@Exclude()
class WithOpenPart {
  @Expose() @Type(() => Open) part!: Open;
}

describe('the writer of a class outside of a route', () => {
  it('writes what the class exposes of a row, and of its parts', () => {
    const row = { id: 1, secret: 'x', items: [{ sku: 'tea', secret: 'x' }], note: null };
    expect(closedWriter(Order)(row)).toBe('{"id":1,"items":[{"sku":"tea"}],"note":null}');
  });

  it('refuses a class that would send all fields, also as a part', () => {
    for (const type of [Open, WithOpenPart]) expect(() => closedWriter(type)).toThrow(OpenWireClassError);
  });

  it('refuses an object where the class declares none', () => {
    const row = { id: 1, items: [], note: { secret: 'x' } };
    expect(() => closedWriter(Order)(row)).toThrow(UndeclaredPartError);
  });
});
