import 'reflect-metadata';
import { Exclude, Expose, instanceToPlain, Transform, Type } from 'class-transformer';
import { toInstance } from './instance/to-instance';
import { responseWriter } from './response-writer';

@Exclude()
class Author {
  @Expose() name!: string;
  email!: string;
}

@Exclude()
class Post {
  @Expose() id!: number;
  @Expose() createdAt!: Date;
  @Expose() @Type(() => Author) author!: Author;
  @Expose({ groups: ['admin'] })
  @Transform(({ value }: { value: string }) => `${value.slice(0, 2)}***`, { toPlainOnly: true })
  key!: string;
  secret!: string;
}

@Exclude()
class WithDefault {
  @Expose() role = 'user';
}

@Exclude()
class LooksAround {
  @Expose()
  @Transform(({ obj }: { obj: object }) => obj.constructor.name, { toPlainOnly: true })
  name!: string;
}

@Exclude()
class Disguised {
  @Expose() id!: number;
}
Object.defineProperty(Disguised.prototype, 'constructor', { value: Author });

@Exclude()
class Promised {
  @Expose() id!: number;
  then() {
    return this.id;
  }
}

const row = () => ({
  secret: 'no',
  author: { email: 'no', name: 'Ada' },
  key: 'secret',
  createdAt: new Date(0),
  id: 1,
});

const odd = () => ({ ...row(), id: () => 'called' });

describe('a writer of responses from rows', () => {
  const expected = (type: new () => object, value: object) =>
    JSON.stringify(instanceToPlain(toInstance(type, value)));

  it('writes the exposed fields of a row and of nested rows without an instance', () => {
    const { write, explain } = responseWriter(Post, { groups: ['admin'] });
    expect(write(row())).toBe(
      '{"id":1,"createdAt":"1970-01-01T00:00:00.000Z","author":{"name":"Ada"},"key":"se***"}',
    );
    expect(write([row(), row()])).toBe(`[${write(row())},${write(row())}]`);
    expect(explain()).toMatchObject({ direct: 4, throughInstances: 0 });
  });

  it('creates an instance if it could differ from the row', () => {
    for (const type of [WithDefault, LooksAround, Disguised, Promised]) {
      const { write, explain } = responseWriter(type);
      expect(write({ id: 1 })).toBe(expected(type, { id: 1 }));
      expect(explain()).toMatchObject({ direct: 0, throughInstances: 1 });
    }
  });

  it('creates an instance for a row whose values need one', () => {
    const { write, explain } = responseWriter(Post);
    expect(write(odd())).toBe(expected(Post, odd()));
    expect(explain()).toMatchObject({ direct: 0, throughInstances: 1 });
  });

  it('passes on what a transform throws', () => {
    const { write } = responseWriter(Post, { groups: ['admin'] });
    expect(() => write({ ...row(), key: null })).toThrow(TypeError);
    expect(() => write({ ...row(), id: 10n })).toThrow('Do not know how to serialize a BigInt');
  });

  it('reads a row once, also if writing it fails', () => {
    const { write } = responseWriter(Post);
    let reads = 0;
    class Entity {
      id = 10n;
      get author() {
        return { name: `read ${++reads}` };
      }
    }
    expect(() => write(new Entity())).toThrow('Do not know how to serialize a BigInt');
    expect(reads).toBe(1);
  });

  it('writes values that are not objects unchanged', () => {
    const { write } = responseWriter(Post);
    expect([null, 'text', 1, undefined].map(write)).toEqual(['null', '"text"', '1', undefined]);
  });
});

describe('a writer of responses from rows of other classes', () => {
  class AuthorEntity {
    constructor(
      readonly name: string,
      readonly email: string,
    ) {}
  }
  class PostEntity {
    readonly id = 1;
    readonly createdAt = new Date(0);
    readonly secret = 'no';
    readonly author = new AuthorEntity('Ada', 'no');
  }
  const text = '{"id":1,"createdAt":"1970-01-01T00:00:00.000Z","author":{"name":"Ada"}}';

  it('reads them directly, in lists and nested, if they have plain fields only', () => {
    const { write, explain } = responseWriter(Post);
    class Subclass extends PostEntity {}
    expect(write(new PostEntity())).toBe(text);
    expect(write([new Subclass(), { ...row(), author: new AuthorEntity('Ada', 'no') }])).toBe(
      `[${text},${text}]`,
    );
    expect(write(Object.create(new PostEntity()))).toBe(text);
    expect(explain()).toMatchObject({ direct: 3, throughInstances: 0 });
  });

  it('creates an instance for built-in objects, getters and thenables', () => {
    class Working extends PostEntity {
      get key(): string {
        return 'secret';
      }
    }
    class Waiting extends PostEntity {
      then(): number {
        return 1;
      }
    }
    const { write, explain } = responseWriter(Post, { groups: ['admin'] });
    const whole = `${text.slice(0, -1)},"key":"se***"}`;
    expect(write(new Working())).toBe(whole);
    expect(write(Object.assign(new Waiting(), { key: 'secret' }))).toBe(whole);
    expect(write(Object.assign(new Map(), row()))).toBe(write(row()));
    expect(explain()).toMatchObject({ direct: 1, throughInstances: 3 });
  });

  it('takes an excluded field from own keys only, if decorators are ignored', () => {
    class Account {
      @Expose() id!: number;
      @Exclude() secret!: string;
    }
    const { write } = responseWriter(Account, { ignoreDecorators: true, excludeExtraneousValues: true });
    const account = { id: 1, secret: 'no' };
    expect(write(Object.create(account))).toBe('{"id":1}');
    expect(write(account)).toBe('{"id":1,"secret":"no"}');
  });

  it('tries them again after many responses that needed instances', () => {
    const { write, explain } = responseWriter(Post);
    for (let count = 0; count < 300; count++) write(odd());
    for (let count = 0; count < 300; count++) write(new PostEntity());
    expect(explain().direct).toBeGreaterThan(0);
    expect(explain().throughInstances).toBeLessThan(600);
  });
});

describe('a writer of responses', () => {
  it('falls back to class-transformer for values of any form only', () => {
    @Exclude()
    class Note {
      @Expose() id!: number;
      @Expose() @Type(() => Object) detail!: object;
    }
    const note = () => ({ id: 1, secret: 'no', detail: { any: [new Date(0)], form: Object.create(null) } });
    const { write, explain } = responseWriter(Note);
    expect(write(note())).toBe(JSON.stringify(instanceToPlain(toInstance(Note, note()))));
    expect(JSON.parse(write([note()]))).toEqual([
      { id: 1, detail: { any: [new Date(0).toISOString()], form: {} } },
    ]);
    expect(explain()).toMatchObject({ direct: 2, throughInstances: 0 });
  });

  it('reads a row by its property names, not by the exposed names', () => {
    @Exclude()
    class Renamed {
      @Expose({ name: 'full_name' }) fullName!: string;
    }
    const value = { fullName: 'property', full_name: 'wire' };
    expect(responseWriter(Renamed).write(value)).toBe('{"full_name":"property"}');
  });
});
