import 'reflect-metadata';
import { type WireClass, writerOf } from '@app/engine';
import { Exclude, instanceToPlain, Type } from 'class-transformer';
import fc from 'fast-check';
import { type AudienceCaller, registerAudiences } from './audience';
import { audienceFindings } from './audience-findings';
import { Expose, OwnedBy } from './expose';
import { writersByCaller } from './writers-by-caller';

registerAudiences([
  { name: 'self', description: 'the account itself', ownerOf: ({ userId }) => userId },
  { name: 'reviewer', description: 'its reviewer', ownerOf: ({ userId }) => userId },
  { name: 'admin', description: 'administrators', includes: ({ role }) => role === 'admin' },
]);

const hardened = { isHardened: true, isStrict: true };

/** Returns what a caller receives. */
function sent(type: WireClass, value: unknown, caller?: AudienceCaller, groups?: string[]): unknown {
  const compile = (options: object) => writerOf(type, options, hardened).write;
  const writers = writersByCaller(type, { groups }, compile);
  return JSON.parse((writers?.(caller) ?? compile({ groups }))(value));
}

@Exclude()
@OwnedBy('id')
class Person {
  @Expose() id!: number;
  @Expose({ to: 'self' }) email!: string;
  @Expose({ to: ['self', 'admin'], groups: ['detail'] }) phone!: string;
  @Expose({ to: 'admin' }) note!: string;
}

@Exclude()
@OwnedBy('authorId')
class Article {
  @Expose() title!: string;
  @Expose({ to: 'self' }) draft!: string;
  @Expose() @Type(() => Person) author!: Person;
  @Expose() @Type(() => Person) readers!: Person[];
  authorId!: number;
}

const person = (id: number) => ({ id, email: `${id}@b.co`, phone: `+${id}`, note: `note ${id}` });
const article = (authorId: number) => ({
  title: 'a',
  draft: 'd',
  authorId,
  author: person(authorId),
  readers: [person(1), person(2)],
});

describe('a member with audiences', () => {
  it('is sent to its audiences only, and to nobody without a caller', () => {
    expect(sent(Person, person(1))).toEqual({ id: 1 });
    expect(sent(Person, person(1), { userId: 2 })).toEqual({ id: 1 });
    expect(sent(Person, person(1), { userId: 1 })).toEqual({ id: 1, email: '1@b.co' });
    expect(sent(Person, person(1), { userId: 2, role: 'admin' })).toEqual({ id: 1, note: 'note 1' });
  });

  it('needs its group too', () => {
    expect(sent(Person, person(1), { role: 'admin' }, ['detail'])).toEqual({
      id: 1,
      phone: '+1',
      note: 'note 1',
    });
    expect(sent(Person, person(1), { userId: 2 }, ['detail'])).toEqual({ id: 1 });
  });

  it('is decided for each row of a list, and for each nested row', () => {
    const [own, foreign] = [{ id: 1, email: '1@b.co' }, { id: 2 }];
    expect(sent(Article, [article(1), article(2)], { userId: 1 })).toEqual([
      { title: 'a', draft: 'd', author: own, readers: [own, foreign] },
      { title: 'a', author: foreign, readers: [own, foreign] },
    ]);
  });

  it('is a group for class-transformer', () => {
    const instance = Object.assign(new Person(), person(1));
    expect(instanceToPlain(instance)).toEqual({ id: 1 });
    expect(instanceToPlain(instance, { groups: ['to:self', 'detail to:self'] })).toEqual({
      id: 1,
      email: '1@b.co',
      phone: '+1',
    });
  });

  it('leaves the rows of the handler unchanged', () => {
    const row = Object.freeze(person(1));
    sent(Person, row, { userId: 2 });
    expect(row.email).toBe('1@b.co');
  });
});

describe('the findings about audiences', () => {
  @Exclude()
  class Vague {
    @Expose({ to: 'nobody' }) unknown!: string;
    @Expose({ to: 'self' }) ownerless!: string;
    ownerId!: number;
  }
  @Exclude()
  @OwnedBy('ownerId')
  class Computed {
    ownerId!: number;
    @Expose({ to: 'self' }) get secret(): string {
      return String(this.ownerId);
    }
    @Expose() @Type(() => Person) people!: Map<string, Person>;
  }

  it('name the code, the member and the remedy', () => {
    expect(audienceFindings(Person, ['detail'])).toEqual([]);
    expect(audienceFindings(Vague, ['to:self'])).toMatchObject([
      {
        code: 'SLUICE-C211',
        place: { type: Vague, member: 'unknown' },
        remedy: expect.stringContaining('admin'),
      },
      {
        code: 'SLUICE-C212',
        place: { type: Vague, member: 'ownerless' },
        remedy: expect.stringContaining('@OwnedBy'),
      },
      { code: 'SLUICE-C214' },
    ]);
    expect(audienceFindings(Computed)).toMatchObject([
      { code: 'SLUICE-C213', place: { type: Computed, member: 'secret' } },
      { code: 'SLUICE-C213', place: { type: Computed, member: 'people' } },
    ]);
  });

  it('refuse an empty list of audiences', () => {
    expect(() => Expose({ to: [] as unknown as [string] })).toThrow('remove it');
  });
});

/** A random class, as the interpreter below reads it. */
interface Model {
  readonly members: readonly {
    readonly to: readonly string[];
    readonly groups: readonly string[];
    readonly part?: Model;
    readonly isList: boolean;
  }[];
}

interface Row {
  readonly ownerId: number;
  readonly reviewerId: number;
  readonly [member: string]: unknown;
}

const model = fc.letrec<{ model: Model }>((tie) => ({
  model: fc.record({
    members: fc.array(
      fc.record(
        {
          to: fc.subarray(['self', 'reviewer', 'admin']),
          groups: fc.subarray(['detail', 'list']),
          isList: fc.boolean(),
          part: fc.option(tie('model'), { depthSize: 'small', nil: undefined }),
        },
        { requiredKeys: ['to', 'groups', 'isList'] },
      ),
      { maxLength: 4 },
    ),
  }),
})).model;

function classOf({ members }: Model): WireClass {
  class Generated {
    ownerId!: number;
    reviewerId!: number;
  }
  Exclude()(Generated);
  OwnedBy('ownerId')(Generated);
  OwnedBy('reviewerId', 'reviewer')(Generated);
  for (const [
    at,
    {
      to: [first, ...rest],
      groups,
      part,
      isList,
    },
  ] of members.entries()) {
    const to = first === undefined ? {} : { to: [first, ...rest] as const };
    Expose({ ...to, ...(groups.length > 0 && { groups: [...groups] }) })(Generated.prototype, `m${at}`);
    if (part === undefined) continue;
    const type = classOf(part);
    Type(() => type)(Generated.prototype, `m${at}`);
    Reflect.defineMetadata('design:type', isList ? Array : type, Generated.prototype, `m${at}`);
  }
  return Generated;
}

const id = fc.integer({ min: 1, max: 3 });

function rowOf({ members }: Model): fc.Arbitrary<Row> {
  const values = members.map(({ part, isList }) => {
    if (part === undefined) return fc.oneof(fc.integer(), fc.string(), fc.constant(null));
    return isList ? fc.array(rowOf(part), { maxLength: 3 }) : fc.option(rowOf(part));
  });
  return fc.record({
    ownerId: id,
    reviewerId: id,
    ...Object.fromEntries(values.map((value, at) => [`m${at}`, value])),
  });
}

/** Decides for each member in each row, slowly. */
function interpret(
  { members }: Model,
  row: Row,
  caller: AudienceCaller | undefined,
  selected: string[],
): unknown {
  const isIn = (name: string) => {
    if (caller === undefined) return false;
    if (name === 'admin') return caller['role'] === 'admin';
    return caller['userId'] === (name === 'self' ? row.ownerId : row.reviewerId);
  };
  const sentMembers = members.flatMap(({ to, groups, part }, at) => {
    const isSelected = groups.length === 0 || groups.some((group) => selected.includes(group));
    if (!isSelected || (to.length > 0 && !to.some(isIn))) return [];
    const value = row[`m${at}`];
    const inner = (item: unknown) =>
      item === null || part === undefined ? item : interpret(part, item as Row, caller, selected);
    return [[`m${at}`, Array.isArray(value) ? value.map(inner) : inner(value)]];
  });
  return Object.fromEntries(sentMembers);
}

const cases = fc.record({
  caller: fc.option(fc.record({ userId: id, role: fc.constantFrom('user', 'admin') }), { nil: undefined }),
  selected: fc.subarray(['detail', 'list']),
  rows: model.chain((shape) =>
    fc.record({ shape: fc.constant(shape), list: fc.array(rowOf(shape), { maxLength: 4 }) }),
  ),
});

describe('a random class', () => {
  it('is sent to each caller as the interpreter says', () => {
    fc.assert(
      fc.property(cases, ({ caller, selected, rows: { shape, list } }) => {
        const expected = list.map((row) => interpret(shape, row, caller, selected));
        expect(sent(classOf(shape), list, caller, selected)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
