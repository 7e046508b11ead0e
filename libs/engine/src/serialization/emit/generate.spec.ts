import 'reflect-metadata';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { compileSerializer } from '../run/compile-serializer';

@Exclude()
class Line {
  @Expose() sku = 'A-1';
}

class Order {
  id = 1;
  @Expose({ name: 'lines' }) @Type(() => Line) items = [new Line()];
  @Transform(({ value }: { value: string }) => value.slice(0, 2)) key = 'secret';
  @Transform(({ obj }: { obj: Order }) => obj.id) copy = 0;
  @Exclude() password = 'hidden';
  @Expose() get total() {
    return 12;
  }
}

describe('a generated writer', () => {
  it('is readable: one statement per field', async () => {
    const { write, toPlain, explain } = compileSerializer(Order);
    expect(write(new Order())).toBe('{"id":1,"lines":[{"sku":"A-1"}],"key":"se","copy":1,"total":12}');
    expect(toPlain(new Order())).toMatchObject({ id: 1, lines: [{ sku: 'A-1' }], total: 12 });
    const sources = explain().classes.map(({ source }) => source);
    await expect(sources.join('\n')).toMatchFileSnapshot('generate.snapshot.txt');
  });

  it('never executes names as code', () => {
    class Hostile {}
    const name = '"+process.exit(1)+"`${1}\\';
    Expose({ name: `${name}2` })(Hostile.prototype, name);
    const value = Object.assign(new Hostile(), { [name]: 'kept' });
    expect(JSON.parse(compileSerializer(Hostile).write(value))).toEqual({ [`${name}2`]: 'kept' });
  });
});
