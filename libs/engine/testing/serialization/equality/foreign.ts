import type { Chance } from './chance.ts';

class Entity {}

class Subclass extends Entity {}

class WithMethods {
  name(): string {
    return 'a method';
  }
  then = 1;
}

class Thenable {
  then(): number {
    return 1;
  }
}

class WithGetters {
  get id(): number {
    return 4711;
  }
  get at(): Date {
    return new Date(86_400_000);
  }
  get part(): object {
    return { id: 1, name: 'of a getter' };
  }
}

/** An object that reports how often, and in which order, it was read. */
class Counting {
  private asked = 0;
  get id(): number {
    return ++this.asked;
  }
  get name(): string {
    return `asked ${++this.asked} times`;
  }
}

class OwnMap extends Map<string, unknown> {}

const makers: readonly (() => object)[] = [
  () => new Entity(),
  () => new Entity(),
  () => new Subclass(),
  () => new WithMethods(),
  () => new Thenable(),
  () => new WithGetters(),
  () => new Counting(),
  () => Object.create({ id: 7, name: 'inherited', part: { id: 8 } }) as object,
  () => Object.create(Object.create(null)) as object,
  () => new Map([['id', 1]]),
  () => new Set(['id']),
  () => new OwnMap([['id', 1]]),
  () => new Date(5),
  () => Buffer.from('bytes'),
  () => new Proxy(new Entity(), {}),
];

/** Creates a row like a store with entity classes: the same fields, in an object with a different class. */
export function makeForeign(chance: Chance, row: object): object {
  const foreign = chance.one(makers)();
  for (const [key, value] of Object.entries(row)) Reflect.set(foreign, key, value);
  return foreign;
}
