import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Exclude, Expose, instanceToPlain, Transform, Type } from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';
import { compileSerializer } from './compile-serializer';

/** The most compiled functions per class, whatever keys its instances have. */
const MOST_PROGRAMS = 30;
const MEGABYTE = 2 ** 20;

class Open {
  @Expose() id!: number;
}

/** An instance with a unique key. */
function instance(at: number, keyLength = 0): Open {
  return Object.assign(new Open(), { id: at, [`k${at}${'x'.repeat(keyLength)}`]: at });
}

describe('instances of a class that sends all its fields, each with other keys', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('are written without a new compiled function for each', () => {
    let programs = 0;
    const counting = new Proxy(Function, {
      construct(target, texts, newTarget) {
        programs += 1;
        return Reflect.construct(target, texts, newTarget) as object;
      },
    });
    vi.stubGlobal('Function', counting);
    const { write, toPlain } = compileSerializer(Open);
    for (let at = 0; at < 100; at += 1) {
      expect(JSON.parse(write(instance(at)))).toEqual({ id: at, [`k${at}`]: at });
      expect(toPlain([instance(at)])).toEqual([{ id: at, [`k${at}`]: at }]);
    }
    expect(programs).toBeLessThanOrEqual(MOST_PROGRAMS);
  });

  it('leave only a few compiled functions in memory', async () => {
    const { write } = compileSerializer(Open);
    const writeMany = (from: number) => {
      for (let at = from; at < from + 500; at += 1) void write(instance(at, 60_000));
      return heapUsed();
    };
    const before = writeMany(0);
    writeMany(500);
    // V8 keeps the layout of an object through several collections after its last use.
    await vi.waitFor(() => expect(heapUsed() - before).toBeLessThan(10 * MEGABYTE), 10_000);
  });
});

class Part {
  @Expose() sku = 'A-1';
  @Exclude() secret = 's';
}

class Sparse {
  id!: number;
  @Expose({ name: 'renamed' }) title?: string;
  @Exclude() password?: string;
  @Type(() => Part) parts?: Part[];
  @Transform(({ value }) => (calls.push(value), `${value}!`)) shout?: string;
  at?: Date;
  note?: string | null;
  @Expose() get total() {
    return this.id * 2;
  }
}

/** A class whose object loses a key while it is written. */
class Deleting {
  @Transform(({ value, obj }) => (delete (obj as Deleting).gone, value as unknown)) start?: string;
  @Transform(({ value }) => `${value}!`) gone?: string;
  @Type(() => Part) parts?: Part[];
  @Expose({ name: 'renamed' }) title?: string;
}
Object.assign(Deleting.prototype, { inherited: 1 });

/** An object's indices come first; a renamed index comes after the others. */
class Renumbered {
  @Expose({ name: 'second' }) 2?: string;
}

/** The arguments that its transform received. */
const calls: unknown[] = [];

const all = {
  note: null,
  title: 'a "title"',
  id: 1,
  password: 'p',
  parts: [new Part(), new Part()],
  shout: 'hey',
  at: new Date(0),
  more: { of: [1] },
  undecorated: true,
  total: undefined,
};

/** The combinations of its keys, in two orders. */
const combinations = Array.from({ length: 200 }, (_, at) => {
  const entries = Object.entries(all).filter(
    ([key], index) => key !== 'total' && (at >> (index % 8)) % 2 === 0,
  );
  return Object.assign(new Sparse(), Object.fromEntries(at % 3 === 0 ? entries.toReversed() : entries));
});

describe('instances whose keys come and go', () => {
  const odd = [
    Object.assign(new Sparse(), { id: 1, renamed: 'twice', title: 'merged', shout: 'once' }),
    Object.assign(new Sparse(), { shout: 'once', toJSON: 1 }),
    Object.assign(new Sparse(), { shout: 'once', 7: 'seven', id: 2 }),
  ];

  it.each([undefined, { exposeUnsetFields: false }, { excludePrefixes: ['no', 'un'] }])(
    'are written as by the library, with %j',
    (options) => {
      const { write, toPlain } = compileSerializer(Sparse, options);
      for (const value of [...combinations, ...odd, ...combinations]) {
        calls.length = 0;
        const expected = instanceToPlain(value, options);
        const called = calls.splice(0);
        expect(Object.entries(toPlain(value) as object)).toEqual(Object.entries(expected));
        expect(calls.splice(0)).toEqual(called);
        expect(write(value)).toBe(JSON.stringify(expected));
        expect(calls).toEqual(called);
      }
      expect(write(combinations)).toBe(JSON.stringify(instanceToPlain(combinations, options)));
      expect(toPlain(combinations)).toEqual(instanceToPlain(combinations, options));
    },
  );

  it('are written as by the library if a transform deletes some, and the class inherits others', () => {
    const { write, toPlain } = compileSerializer(Deleting);
    const make = (at: number) => {
      const keys = ['extra0', 'extra1', 'extra2', 'start', 'gone', 'parts', 'title', 'note'];
      const values: Record<string, unknown> = { parts: [new Part()], title: 'a', note: 1 };
      const sent = keys.filter((_, index) => (at >> index) % 2 === 0);
      return Object.assign(new Deleting(), Object.fromEntries(sent.map((key) => [key, values[key] ?? key])));
    };
    for (let at = 0; at < 256; at++) {
      const expected = instanceToPlain(make(at));
      expect(Object.entries(toPlain(make(at)) as object)).toEqual(Object.entries(expected));
      expect(write(make(at))).toBe(JSON.stringify(expected));
    }
    const places = Array.from({ length: 256 }, (_, at) => at);
    expect(write(places.map(make))).toBe(JSON.stringify(instanceToPlain(places.map(make))));
  });

  it('are written as by the library if an index is renamed', () => {
    const { write, toPlain } = compileSerializer(Renumbered);
    const names = ['2', 'a', 'b', 'c', 'd', 'e', 'f', 'g'];
    // The other indices come when the names have made the class one that is written key by key.
    for (const indices of [[], ['0', '1', '3']])
      for (let at = 0; at < 256; at++) {
        const keys = [...indices, ...names.filter((_, index) => (at >> index) % 2 === 0)];
        const value = Object.assign(new Renumbered(), Object.fromEntries(keys.map((key) => [key, key])));
        const expected = instanceToPlain(value);
        expect(Object.entries(toPlain(value) as object)).toEqual(Object.entries(expected));
        expect(write(value)).toBe(JSON.stringify(expected));
      }
  });

  it('do not call the library', () => {
    const { write, toPlain } = compileSerializer(Sparse);
    for (const value of combinations) write(value);
    const ofLibrary = vi.spyOn(TransformOperationExecutor.prototype, 'transform');
    for (const value of combinations) {
      write(value);
      toPlain(value);
    }
    write(combinations);
    expect(ofLibrary).not.toHaveBeenCalled();
  });
});

/** The used heap, in bytes. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
