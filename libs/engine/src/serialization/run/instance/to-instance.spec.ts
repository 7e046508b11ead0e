import { Expose, Type } from 'class-transformer';
import * as fc from 'fast-check';
import { referenceInstance } from '../../../../testing/serialization/equality/reference-instance';
import { isSameOutcome, outcomeOf } from '../../../../testing/serialization/equality/outcome';
import { toInstance } from './to-instance';

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

describe('an instance of a wire class', () => {
  it('is the object that the handler returned if nothing has to be converted', () => {
    const owner = Object.assign(new Owner(), { tags: [new Tag()] });
    expect(toInstance(Owner, owner)).toBe(owner);
  });

  it('is a copy, without a change of the original, if a part has to be converted', () => {
    const owner = Object.assign(new Owner(), { tags: [{ name: 'a' }] });
    const instance = toInstance(Owner, Object.freeze(owner));
    expect(instance).toBeInstanceOf(Owner);
    expect(instance).not.toBe(owner);
    expect(Reflect.get(instance, 'tags')).toEqual([Object.assign(new Tag(), { name: 'a' })]);
    expect(owner.tags[0]).not.toBeInstanceOf(Tag);
  });

  it('keeps its own methods, getters and prototype', () => {
    const row: unknown = JSON.parse(
      '{"name":"Ann","shout":"x","length":99,"toString":"x","__proto__":{"evil":1}}',
    );
    const instance = toInstance(Owner, Object(row));
    expect(instance).toMatchObject({ name: 'Ann', length: 3 });
    expect(instance).toHaveProperty('shout', expect.any(Function));
    expect(instance).not.toHaveProperty('evil');
  });

  it('takes values that getters of another class compute', () => {
    class Entity {
      get greeting(): string {
        return 'hello';
      }
    }
    expect(toInstance(Owner, new Entity())).toMatchObject({ greeting: 'hello' });
  });

  it('selects among subtypes', () => {
    const { pets } = Object(toInstance(Owner, { pets: [{ kind: 'cat', lives: 1 }, new Dog()] }));
    expect(pets).toEqual([Object.assign(new Cat(), { lives: 1 }), new Dog()]);
    expect(pets[0]).toBeInstanceOf(Cat);
  });

  it('keeps maps, dates and empty values unchanged', () => {
    const byName = new Map();
    const bornAt = new Date(0);
    expect(toInstance(Owner, { byName, bornAt, tags: null, name: undefined })).toMatchObject({
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

class Subclass extends Owner {
  @Type(() => Bare) override tags!: never;
  @Type((help) => (Reflect.has(Object(help?.object), 'name') ? Bare : Tag)) late!: unknown;
}

/** The constructor decides which properties can be assigned. */
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

/** The instances have a different class. */
class Turning {
  @Expose() name!: string;

  constructor() {
    return Object.assign(new Owner(), { name: 'turned' });
  }
}

describe('an instance that is created by the plan of its class', () => {
  const types = [Bare, Owner, Subclass, Deciding, Turning];
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

  function holding(target: object, fields: object): object {
    for (const [key, value] of Object.entries(fields)) {
      Reflect.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return target;
  }

  it('equals the one that is created by reading the metadata of every property of every value', () => {
    const isSame = fc.property(tree.filter(isObject), fc.constantFrom(...types), (source, type) =>
      isSameOutcome(
        outcomeOf(() => toInstance(type, source)),
        outcomeOf(() => referenceInstance(type, source)),
      ),
    );
    expect(fc.check(isSame, { numRuns: 4000 }).counterexample).toBeNull();
  });

  it('takes decorators into account that ran later', () => {
    class Growing {
      part!: unknown;
    }
    expect(Reflect.get(toInstance(Growing, { part: {} }), 'part')).not.toBeInstanceOf(Tag);
    Type(() => Tag)(Growing.prototype, 'part');
    expect(Reflect.get(toInstance(Growing, { part: {} }), 'part')).toBeInstanceOf(Tag);
  });

  it('takes any number of fields', () => {
    const row = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, at]));
    expect(toInstance(Bare, row)).toEqual(Object.assign(new Bare(), row));
  });
});
