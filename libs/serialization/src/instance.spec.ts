import { Expose, Type } from 'class-transformer';
import { asInstance } from './instance';

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
