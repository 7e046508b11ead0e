import { Exclude, Expose, instanceToPlain, Transform, Type } from 'class-transformer';
import * as fc from 'fast-check';
import { undeclaredWriter, writerOf } from './writer';

const writeUndeclared = undeclaredWriter();

@Exclude()
class User {
  @Expose() id!: number;
  @Expose({ groups: ['admin'] }) role!: string;
  @Expose({ name: 'e_mail' }) email!: string;
  password!: string;

  @Expose()
  get initial(): unknown {
    return typeof this.email === 'string' ? this.email[0] : null;
  }
}

class Post {
  id!: number;
  @Exclude() draft!: string;
  @Transform(({ value }: { value: unknown }) => `<${String(value)}>`) title!: string;
  @Type(() => User) author!: User;
  @Type(() => User) readers!: User[];
  @Type(() => Date) createdAt!: Date;
  note: unknown;
}

/** The value of every hidden field: it must not be in any output. */
const SECRET = 'SECRET';

const scalars = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.constant(undefined));

const userRows = fc.record(
  { id: scalars, role: scalars, email: scalars, password: fc.constant(SECRET), extra: fc.constant(SECRET) },
  { requiredKeys: ['password', 'extra'] },
);
const users = userRows.chain((row) => fc.constantFrom<object>(row, Object.assign(new User(), row)));
const postRows = fc.record(
  {
    id: scalars,
    draft: fc.constant(SECRET),
    title: scalars,
    author: fc.oneof(users, fc.constant(null)),
    readers: fc.array(users, { maxLength: 3 }),
    createdAt: fc.date({ noInvalidDate: true }),
    note: fc.oneof(scalars, fc.array(scalars)),
  },
  { requiredKeys: ['draft', 'author', 'readers'] },
);
const posts = postRows.chain((row) => fc.constantFrom<object>(row, Object.assign(new Post(), row)));
const groups = fc.subarray(['admin', 'user']);

describe('the written response', () => {
  it('has no field that its class hides, whatever was returned', () => {
    fc.assert(
      fc.property(fc.oneof(posts, fc.array(posts)), groups, (returned, selected) => {
        expect(writerOf(Post, { groups: selected }).write(returned)).not.toContain(SECRET);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(users, fc.array(users)), groups, (returned, selected) => {
        expect(writerOf(User, { groups: selected }).write(returned)).not.toContain(SECRET);
      }),
    );
  });

  it('is the same for a row as for an instance, and equals class-transformer’s', () => {
    fc.assert(
      fc.property(postRows, groups, (row, selected) => {
        const instance = Object.assign(new Post(), row, {
          author: row.author && Object.assign(new User(), row.author),
          readers: row.readers.map((reader) => Object.assign(new User(), reader)),
        });
        const theirs = JSON.stringify(instanceToPlain(instance, { groups: selected }));
        const { write } = writerOf(Post, { groups: selected });
        expect(write(instance)).toBe(theirs);
        expect(write(row)).toBe(theirs);
        expect(write([row, instance])).toBe(`[${theirs},${theirs}]`);
      }),
    );
  });

  it('is plain JSON if nothing in it has rules', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeUndeclared(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('equals class-transformer’s for an instance at any depth', () => {
    fc.assert(
      fc.property(userRows, fc.jsonValue(), (row, value) => {
        const user = Object.assign(new User(), row);
        const theirs = instanceToPlain(user);
        expect(writeUndeclared({ deep: [{ user }], other: value })).toBe(
          JSON.stringify({ deep: [{ user: theirs }], other: value }),
        );
      }),
    );
  });

  it('calls toJSON of a value', () => {
    const url = new URL('https://a.co/b');
    expect(writeUndeclared({ url, at: new Date(0) })).toBe(JSON.stringify({ url, at: new Date(0) }));
  });
});
