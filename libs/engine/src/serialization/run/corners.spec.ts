import 'reflect-metadata';
import {
  type ClassTransformOptions,
  Exclude,
  Expose,
  instanceToPlain,
  Transform,
  Type,
} from 'class-transformer';
import { isSameOutcome, outcomeOf } from '../../../testing/serialization/equality/outcome';
import { compileSerializer } from './compile-serializer';

class Plain {
  id: unknown = 1;
  held: unknown;
}

const holding = (value: unknown) => Object.assign(new Plain(), { held: value });

@Exclude()
class Closed {
  @Expose() id = 1;
  secret = 'hidden';
}

class Subclass extends Closed {
  more = 'seen';
}

class Renamed {
  @Expose({ name: 'full_name' }) fullName = 'Ada';
  @Expose({ name: '2' }) two = 2;
  @Expose({ name: '1' }) one = 1;
}

class Merged {
  id = 1;
  @Expose({ name: 'id' }) other = 2;
}

class Grouped {
  @Expose({ groups: ['admin'] }) email = 'a@b.co';
  @Expose({ since: 2, until: 3 }) added = true;
  always = 0;
}

class Ancestor {
  @Transform(({ value }) => `${value}-ancestor`)
  name = 'name';
}

class Transformed extends Ancestor {
  @Transform(({ value }) => `${value}-top`)
  @Transform(({ value }) => `${value}-bottom`)
  declare name: string;
  @Transform(() => 'for the way in', { toClassOnly: true }) kept = 'kept';
  @Transform(({ value }) => value as unknown) same: unknown = () => 'called';
}

class WithMembers {
  reads = 0;
  first = 'Ada';
  @Expose() get full() {
    return `${this.first} Lovelace`;
  }
  @Expose() initials() {
    return this.first.charAt(0);
  }
}
// Own, but not enumerable, so that counting does not show itself.
Object.defineProperty(WithMembers.prototype, 'count', {
  get(this: WithMembers) {
    Object.defineProperty(this, 'reads', { value: this.reads + 1, enumerable: false });
    return this.reads;
  },
});
Expose()(WithMembers.prototype, 'count');

class Typed {
  @Type(() => Closed) one: unknown = new Subclass();
  @Type(() => Closed) many: unknown = [
    new Closed(),
    { id: 2, secret: 'plain' },
    null,
    [new Closed()],
    'text',
  ];
  @Type(() => Date) at: unknown = '2026-11-21';
  @Type(() => String) text: unknown = 12;
  @Type(() => Number) number: unknown = '12';
  @Type(() => Boolean) flag: unknown = 'false';
}

class Dynamic {
  @Type((help) => (help?.object.isClosed ? Closed : Plain)) part = new Subclass();
  isClosed = true;
}

class Pet {
  @Type(() => Plain, { discriminator: { property: 'kind', subTypes: [{ name: 'closed', value: Closed }] } })
  part: unknown = new Closed();
}

class TransformedPet extends Pet {
  @Transform(({ value }: { value: unknown }) => value) declare part: unknown;
}

class Pets {
  @Type(() => Plain, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'closed', value: Closed },
        { name: 'date', value: Date },
      ],
    },
  })
  parts: unknown = [new Closed(), new Date(0)];
  name = 'pets';
}

const Status = { Open: 'open', Paid: 'paid' };

/** Compilers and programs declare enums, which are no classes. */
class WithEnum {
  @Type(() => Status as never) status: unknown = 'open';
  @Type(() => 'text' as never) text: unknown = 'a';
  noted: unknown = ['open', 1, null, ['paid']];
}
Reflect.defineMetadata('design:type', Status, WithEnum.prototype, 'noted');
Type()(WithEnum.prototype, 'noted');

const objectsUnder = (property: keyof WithEnum, value: unknown) =>
  Object.assign(new WithEnum(), { [property]: value });

class LoudDate extends Date {
  override valueOf() {
    return 7;
  }
}

const circular = holding(undefined);
circular.held = circular;

class Part {
  id = 7;
  @Transform(({ value }: { value: { id?: unknown } }) => value?.id) owner: unknown;
  @Type(() => String) owners: unknown;
  @Type((_type) => Closed) named: unknown = new Subclass();
  siblings: unknown = [];
}

const broken = () => {
  const part = new Part();
  return Object.assign(part, { owner: { id: 1, part }, owners: [part], siblings: new Set([part]) });
};

const ofOwner = () => {
  const parent = new Part();
  return Object.assign(parent, { siblings: [Object.assign(new Part(), { owner: parent, named: parent })] });
};

class OddNames {
  id = 1;
  @Expose({ name: '__proto__' }) parent = { inherited: 1 };
  @Expose({ name: 'constructor' }) maker = 1;
}
Expose()(OddNames.prototype, '__proto__');

class Writes {
  @Expose({ name: 'toJSON' }) @Transform(() => () => 'own way') way = 1;
}

class Thrower {
  @Transform(() => {
    throw new RangeError('from a transform');
  })
  value = 1;
  big = 10n;
}

const nested = (depth: number): unknown => (depth === 0 ? 'end' : holding(nested(depth - 1)));

/** The values to write, by edge case. */
const corners: Readonly<Record<string, () => unknown>> = {
  'a class without decorators': () => holding('text'),
  'a class-level exclusion, which a subclass does not inherit': () => [new Closed(), new Subclass()],
  'names that an object would reorder': () => new Renamed(),
  'two properties with one name': () => new Merged(),
  'groups and versions': () => new Grouped(),
  'transforms of ancestors first, each class from the bottom up': () => new Transformed(),
  'getters, read five times, and methods, called': () => new WithMembers(),
  'declared types': () => new Typed(),
  'a declared type that depends on the value': () => new Dynamic(),
  'declared types that are no classes': () => new WithEnum(),
  'dates and maps whose declared type is no class': () =>
    objectsUnder('status', [new Date(0), new Map([[1, 2]])]),
  'an object whose declared type is an enum': () => objectsUnder('status', { a: 1 }),
  'an instance whose reflected type is an enum': () => objectsUnder('noted', [new Closed()]),
  'an object whose declared type is a text': () => objectsUnder('text', { a: 1 }),
  'a discriminator': () => new Pet(),
  'a discriminator for an unlisted class': () => Object.assign(new Pet(), { part: new Plain() }),
  'a list with a discriminator': () => new Pets(),
  'a list of which an element has an unlisted class': () =>
    Object.assign(new Pets(), { parts: [new Closed(), new Plain()] }),
  'a list with a discriminator and holes': () =>
    Object.assign(new Pets(), { parts: [new Closed(), , new Date(1)] }),
  'no list where a list with a discriminator may be': () =>
    [undefined, null, 0, '', false, 'text', true, {}, new Map(), () => [new Closed()]].map((parts) =>
      Object.assign(new Pets(), { parts }),
    ),
  'a frozen part with a discriminator': () =>
    Object.assign(new Pets(), { parts: Object.freeze(new Closed()) }),
  'dates, invalid and far ones': () => [new Date(0), new Date(Number.NaN), new Date(8.64e15)].map(holding),
  'a date whose toJSON returns another time': () =>
    Object.assign(new Typed(), { at: new LoudDate(5), one: new LoudDate(5), text: new LoudDate(5) }),
  'numbers that JSON cannot represent': () => [-0, Number.NaN, Infinity, 1e21].map(holding),
  'null, undefined and symbols': () => [null, undefined, Symbol.iterator].map(holding),
  'lone surrogates and odd characters': () => holding('\ud800"\\\u2028\n'),
  'a list with holes': () => holding(Object.assign([], { 0: 1, 2: undefined, 3: () => 1 })),
  'maps and sets': () => [new Map([['a', new Closed()]]), new Set([new Subclass()])].map(holding),
  'a map as the root value': () => new Map([['a', new Closed()]]),
  'buffers, promises and boxed primitives': () =>
    [Buffer.from('a'), Promise.resolve(1), Object(1), Object('a')].map(holding),
  functions: () => holding(() => new Closed()),
  'plain objects with special property names': () =>
    [{ toJSON: () => 1 }, { then: () => 1 }, { then: 1 }, JSON.parse('{"__proto__":1,"a":2}')].map(holding),
  'a property constructor that is not a function': () => holding({ constructor: 1 }),
  'objects without a prototype': () => holding(Object.assign(Object.create(null), { a: new Closed() })),
  'names with an effect on the object that has them': () => new OddNames(),
  'a transform that returns a toJSON': () => new Writes(),
  'a big integer': () => holding(10n),
  'a circular reference': () => circular,
  'circular references that a transform or a declared type breaks': () => [broken(), ofOwner()],
  'the same part twice, without a circular reference': () => {
    const part = new Closed();
    return holding([part, { part }, part]);
  },
  'names with a common prefix': () => holding({ id: 1, inner: 2, other: { i: 3, j: 4 } }),
  'an error thrown by a transform': () => new Thrower(),
  'deep nesting': () => nested(200),
  'a string as the root value': () => 'text',
  'undefined as the root value': () => undefined,
};

const choices: readonly ClassTransformOptions[] = [
  {},
  { groups: ['admin'] },
  { version: 2 },
  { version: 3, groups: ['user'] },
  { strategy: 'excludeAll' },
  { excludeExtraneousValues: true },
  { exposeUnsetFields: false },
  { enableCircularCheck: true },
  { excludePrefixes: ['i', 'o'] },
  { ignoreDecorators: true },
  { ignoreDecorators: true, excludeExtraneousValues: true, enableCircularCheck: true },
];

describe('a compiled serializer, in edge cases,', () => {
  it.each(Object.entries(corners))('writes the same as class-transformer: %s', (_, make) => {
    for (const options of choices) {
      const value = make();
      const { write, toPlain } = compileSerializer(classOf(value), options);
      const plain = outcomeOf(() => instanceToPlain(make(), options));
      const text = outcomeOf(() => JSON.stringify(instanceToPlain(make(), options)));
      expect(outcomeOf(() => write(make()))).toEqual(text);
      expect(outcomeOf(() => write([make(), make()]))).toEqual(
        outcomeOf(() => JSON.stringify(instanceToPlain([make(), make()], options))),
      );
      expect(
        isSameOutcome(
          outcomeOf(() => toPlain(make())),
          plain,
        ),
      ).toBe(true);
    }
  });
});

function classOf(value: unknown): Function {
  const sample: unknown = Array.isArray(value) ? value[0] : value;
  return sample?.constructor ?? Plain;
}

describe('a compiled serializer', () => {
  it('falls back to class-transformer after a built-in toJSON was changed', () => {
    const { write } = compileSerializer(Plain);
    const written = vi.spyOn(Date.prototype, 'toJSON').mockReturnValue('another time');
    expect(write(holding(new Date(0)))).toBe('{"id":1,"held":"another time"}');
    written.mockRestore();
    expect(write(holding(new Date(0)))).toBe('{"id":1,"held":"1970-01-01T00:00:00.000Z"}');
  });

  it('detects a decorator that runs later', () => {
    class Late {
      id = 1;
      secret = 2;
    }
    const { write } = compileSerializer(Late);
    expect(write(new Late())).toBe('{"id":1,"secret":2}');
    Exclude()(Late.prototype, 'secret');
    expect(write(new Late())).toBe('{"id":1}');
  });

  it('lets a subclass inherit a class-level exclusion if hardened, at any depth', () => {
    const { write, toPlain } = compileSerializer(Plain, {}, { hardened: true });
    expect(write([new Subclass(), holding([new Subclass()])])).toBe('[{"id":1},{"id":1,"held":[{"id":1}]}]');
    expect(write(holding(new Set([new Subclass()])))).toBe('{"id":1,"held":[{"id":1}]}');
    expect(toPlain(new Subclass())).toEqual({ id: 1 });
  });

  it('reports what falls back to class-transformer, and why', () => {
    const targetMaps = [{ target: Plain, properties: { held: Closed } }];
    expect(compileSerializer(Plain, { targetMaps }).explain()).toMatchObject({
      mode: 'library',
      reason: 'the option targetMaps is not compiled',
    });
    expect(compileSerializer(Dynamic).explain().classes).toMatchObject([
      { name: 'Dynamic', mode: 'library', reason: 'the type of Dynamic.part depends on the value' },
    ]);
    expect(compileSerializer(Plain, { enableCircularCheck: true }).explain()).toMatchObject({
      mode: 'library',
    });
    expect(compileSerializer(TransformedPet).explain().classes).toMatchObject([{ mode: 'library' }]);
  });

  it('writes a list of any length and skips its holes', () => {
    const { write } = compileSerializer(Closed);
    for (const length of [0, 1, 2, 511, 512, 513, 1100]) {
      const list: unknown[] = Array.from({ length }, () => new Closed());
      list[length + 600] = new Subclass();
      expect(write(list)).toBe(JSON.stringify(instanceToPlain(list)));
      expect(write(holding(list))).toBe(JSON.stringify(instanceToPlain(holding(list))));
    }
  });

  it('compiles a type function that does not use its argument', () => {
    const { write, explain } = compileSerializer(Part);
    expect(write(new Part())).toBe('{"id":7,"named":{"id":1},"siblings":[]}');
    expect(explain().classes).toMatchObject([{ mode: 'generated' }, { name: 'Closed', mode: 'generated' }]);
  });

  it('reports no declared type that is no class', () => {
    const { write, explain } = compileSerializer(WithEnum);
    write(new WithEnum());
    expect(explain().classes).toMatchObject([{ name: 'WithEnum', mode: 'generated' }]);
  });

  it('writes a plain object by its fields, whose getters it reads once', () => {
    let reads = 0;
    const row = {
      get id() {
        return (reads += 1);
      },
      parts: [new Closed(), { at: new Date(0), unset: undefined }],
    };
    const { write, toPlain } = compileSerializer(Object);
    expect(write(row)).toBe('{"id":1,"parts":[{"id":1},{"at":"1970-01-01T00:00:00.000Z"}]}');
    expect(toPlain(row)).toStrictEqual({
      id: 2,
      parts: [{ id: 1 }, { at: new Date(0), unset: undefined }],
    });
  });

  it.each([
    Object.create(null),
    Object.create({ inherited: 1 }),
    { constructor: Object, then: 1 },
    { then: () => 1 },
    { toJSON: () => 'own way' },
    { called: () => 1 },
    Object.assign(new Closed(), { constructor: Object }),
    new Map([['a', new Closed()]]),
    JSON.parse('{"__proto__":{"a":1},"b":2}'),
  ])('writes as the library, with Object as the class: %#', (value: object) => {
    const { write, toPlain } = compileSerializer(Object);
    const expected = outcomeOf(() => instanceToPlain(value));
    expect(
      isSameOutcome(
        outcomeOf(() => toPlain(value)),
        expected,
      ),
    ).toBe(true);
    const text = outcomeOf(() => JSON.stringify(instanceToPlain(value)));
    expect(
      isSameOutcome(
        outcomeOf(() => write(value)),
        text,
      ),
    ).toBe(true);
  });

  it('compiles many orders of keys, and is exact beyond them', () => {
    const { write } = compileSerializer(Plain);
    for (let at = 0; at < 100; at++) {
      const value = Object.assign(new Plain(), { [`key${at}`]: at });
      expect(write(value)).toBe(`{"id":1,"key${at}":${at}}`);
    }
  });
});
