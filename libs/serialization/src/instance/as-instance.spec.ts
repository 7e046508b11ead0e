import { Expose, Type } from 'class-transformer';
import * as fc from 'fast-check';
import { instanceByTheBook } from '../../testing/equality/instance-by-the-book';
import { isSameOutcome, outcomeOf } from '../../testing/equality/outcome';
import { asInstance } from './as-instance';

class Tag {
  name!: string;
}

class Dog {
  kind = 'dog';
  barks = true;
}

class Cat {
  kind = 'cat';
  lives = 9;
}

class Owner {
  name = 'nobody';
  @Type(() => Tag) tags!: Tag[];
  @Type(() => Tag) byName!: Map<string, Tag>;
  @Type(() => Date) bornAt!: Date;
  @Type(() => Object, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'dog', value: Dog },
        { name: 'cat', value: Cat },
      ],
    },
  })
  pets!: (Dog | Cat)[];

  @Expose()
  greeting!: string;

  shout(): string {
    return this.name.toUpperCase();
  }

  get length(): number {
    return this.name.length;
  }
}

describe('an instance made for the wire', () => {
  it('is the very one the handler returned when nothing had to be made', () => {
    const owner = Object.assign(new Owner(), { tags: [new Tag()] });
    expect(asInstance(Owner, owner)).toBe(owner);
  });

  it('is a copy, and the original untouched, when a part had to be made', () => {
    const owner = Object.assign(new Owner(), { tags: [{ name: 'a' }] });
    const made = asInstance(Owner, Object.freeze(owner));
    expect(made).toBeInstanceOf(Owner);
    expect(made).not.toBe(owner);
    expect(Reflect.get(made, 'tags')).toEqual([Object.assign(new Tag(), { name: 'a' })]);
    expect(owner.tags[0]).not.toBeInstanceOf(Tag);
  });

  it('keeps its own methods, getters and prototype', () => {
    const row: unknown = JSON.parse(
      '{"name":"Ann","shout":"x","length":99,"toString":"x","__proto__":{"evil":1}}',
    );
    const made = asInstance(Owner, Object(row));
    expect(made).toMatchObject({ name: 'Ann', length: 3 });
    expect(made).toHaveProperty('shout', expect.any(Function));
    expect(made).not.toHaveProperty('evil');
  });

  it('takes what a class of another kind works out', () => {
    class Entity {
      get greeting(): string {
        return 'hello';
      }
    }
    expect(asInstance(Owner, new Entity())).toMatchObject({ greeting: 'hello' });
  });

  it('chooses among subtypes', () => {
    const { pets } = Object(asInstance(Owner, { pets: [{ kind: 'cat', lives: 1 }, new Dog()] }));
    expect(pets).toEqual([Object.assign(new Cat(), { lives: 1 }), new Dog()]);
    expect(pets[0]).toBeInstanceOf(Cat);
  });

  it('leaves maps, dates and what is empty as they are', () => {
    const byName = new Map();
    const bornAt = new Date(0);
    expect(asInstance(Owner, { byName, bornAt, tags: null, name: undefined })).toMatchObject({
      byName,
      bornAt,
      tags: null,
      name: undefined,
    });
  });
});

class Bare {
  @Expose() name!: string;
  @Expose() @Type(() => Tag) tags!: unknown;
}

class Heir extends Owner {
  @Type(() => Bare) override tags!: never;
  @Type((help) => (Reflect.has(Object(help?.object), 'name') ? Bare : Tag)) late!: unknown;
}

/** Its constructor decides what its values take. */
class Deciding {
  @Expose() name = 'set';
  @Expose() length!: number;
  shout!: unknown;

  constructor() {
    Object.defineProperty(this, 'length', { get: () => 7, enumerable: true });
    Object.defineProperty(this, 'tags', { value: 'kept', writable: false, enumerable: true });
    this.shout = () => 'own';
  }
}

/** Its values are of another class than it. */
class Turning {
  @Expose() name!: string;

  constructor() {
    return Object.assign(new Owner(), { name: 'turned' });
  }
}

describe('an instance made by what is known of its class', () => {
  const types = [Bare, Owner, Heir, Deciding, Turning];
  const names = [
    'name',
    'tags',
    'byName',
    'pets',
    'greeting',
    'shout',
    'length',
    'late',
    '__proto__',
    'then',
  ];
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(1, 'a', null, undefined, new Date(0)),
      tie('row'),
      tie('list'),
    ),
    list: fc.array(tie('tree'), { maxLength: 3 }),
    row: fc
      .tuple(
        fc.constantFrom(...types, Object, Map),
        fc.dictionary(fc.constantFrom(...names, 'kind'), tie('tree')),
      )
      .map(([type, fields]) => holding(new type(), fields)),
  }));
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

  function holding(made: object, fields: object): object {
    for (const [key, value] of Object.entries(fields)) {
      Reflect.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return made;
  }

  it('is the one that is made by asking for every property of every value', () => {
    const isSame = fc.property(tree.filter(isObject), fc.constantFrom(...types), (source, type) =>
      isSameOutcome(
        outcomeOf(() => asInstance(type, source)),
        outcomeOf(() => instanceByTheBook(type, source)),
      ),
    );
    expect(fc.check(isSame, { numRuns: 4000 }).counterexample).toBeNull();
  });

  it('is made anew when a decorator has run since', () => {
    class Growing {
      part!: unknown;
    }
    expect(Reflect.get(asInstance(Growing, { part: {} }), 'part')).not.toBeInstanceOf(Tag);
    Type(() => Tag)(Growing.prototype, 'part');
    expect(Reflect.get(asInstance(Growing, { part: {} }), 'part')).toBeInstanceOf(Tag);
  });

  it('takes as many fields as a row has', () => {
    const row = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, at]));
    expect(asInstance(Bare, row)).toEqual(Object.assign(new Bare(), row));
  });
});
