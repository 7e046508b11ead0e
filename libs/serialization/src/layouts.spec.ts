import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Expose } from 'class-transformer';
import { compileSerializer } from './compile-serializer';

/** The maximum number of compiled functions per class, whatever keys its instances have. */
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

/** The used heap, in bytes. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
