import * as fc from 'fast-check';
import { HashedIds } from './hashed-ids';

/** What is done to a set, in blocks: enough of them to grow and to shrink it. */
const step = fc.oneof(
  fc.record({ adds: fc.nat(300), from: fc.nat(400) }),
  fc.record({ deletes: fc.nat(500) }),
);

const all = Array.from({ length: 700 }, (_, at) => `id ${at}`);

describe('a set of hashed ids', () => {
  it('has what was added last, as a set of the ids has: through growth, deletion, repetition and shrinking', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const ids = new HashedIds();
        const model = new Set<string>();
        for (const one of steps) {
          if ('deletes' in one) {
            const oldest = [...model].slice(0, one.deletes);
            ids.deleteOldest(oldest.length);
            for (const id of oldest) model.delete(id);
          } else
            for (const id of all.slice(one.from, one.from + one.adds)) {
              ids.add(id);
              model.add(id);
            }
          expect(ids.size).toBe(model.size);
          expect(all.filter((id) => ids.has(id))).toEqual(all.filter((id) => model.has(id)));
        }
      }),
    );
  });

  it('tells apart any strings', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 30 }), (given) => {
        const [ids, half] = [new HashedIds(), given.slice(given.length / 2)];
        for (const id of half) ids.add(id);
        expect(given.filter((id) => ids.has(id))).toEqual(half);
      }),
    );
    const alike = [
      '',
      '\0',
      '\0\0',
      '\0\0\0',
      'a',
      'a\0',
      '\0a',
      'aa',
      'ä',
      '\u00e4\0',
      '\ud800',
      '\udc00\ud800',
    ];
    const ids = new HashedIds();
    for (const [at, id] of alike.entries()) {
      expect(ids.has(id)).toBe(false);
      ids.add(id);
      expect(ids.size).toBe(at + 1);
    }
  });

  it.each<[string, (at: number) => string]>([
    ['random ids', () => `${crypto.randomUUID()}.0`],
    ['counted ids', (at) => `b5c2c1c0-0000-4000-8000-${100_000_000_000 + at}.12`],
    ['short ones', (at) => at.toString(36)],
  ])('spreads hashes of %s evenly', (_, idOf) => {
    const ids = new HashedIds();
    for (let at = 0; at < 100_000; at += 1) ids.add(idOf(at));
    expect(ids.size).toBe(100_000);
    const hashes: Int32Array = Reflect.get(ids, 'hashes');
    for (const of of [0, 1]) {
      const ones = Array.from({ length: 32 }, () => 0);
      const halves = new Set<number>();
      for (let at = 0; at < 100_000; at += 1) {
        const half = hashes[2 * at + of];
        halves.add(half);
        for (let bit = 0; bit < 32; bit += 1) ones[bit] += (half >>> bit) & 1;
      }
      // Of 100,000 random numbers of 32 bits 1.2 are equal to another one; half of each bit is 1, with a standard deviation of 158.
      expect(halves.size).toBeGreaterThan(99_980);
      for (const count of ones) expect(Math.abs(count - 50_000)).toBeLessThan(1_500);
    }
  });

  it('has other hashes than another set', () => {
    const [one, other] = [new HashedIds(), new HashedIds()];
    for (const ids of [one, other]) ids.add('an id');
    expect(Reflect.get(one, 'hashes')).not.toEqual(Reflect.get(other, 'hashes'));
  });

  it('holds some bytes for each id, and gives them back', () => {
    const ids = new HashedIds();
    const bytes = () => ['hashes', 'slots'].reduce((sum, name) => sum + Reflect.get(ids, name).byteLength, 0);
    const empty = bytes();
    let most = 0;
    for (let at = 0; at < 100_000; at += 1) {
      ids.add(`id ${at}`);
      if (bytes() > empty) most = Math.max(most, bytes() / ids.size);
    }
    expect(most).toBeLessThan(32);
    ids.deleteOldest(99_990);
    expect([bytes(), ids.has('id 99989'), ids.has('id 99990')]).toEqual([empty, false, true]);
  });
});
