import { BoundedCache } from './bounded-cache';

describe('a bounded cache', () => {
  it('returns what was set', () => {
    const memory = new BoundedCache<number>(4);
    memory.set('a', 1);
    expect(memory.get('a')).toBe(1);
    expect(memory.get('b')).toBeUndefined();
  });

  it('never exceeds its maximum size', () => {
    const memory = new BoundedCache<number>(10);
    for (let n = 0; n < 1000; n++) {
      memory.set(`${n}`, n);
      expect(memory.size).toBeLessThanOrEqual(10);
    }
  });

  it('keeps entries that are read', () => {
    const memory = new BoundedCache<number>(4);
    memory.set('kept', 1);
    for (let n = 0; n < 100; n++) {
      memory.set(`${n}`, n);
      expect(memory.get('kept')).toBe(1);
    }
    expect(memory.get('0')).toBeUndefined();
  });

  it('deletes an entry of either generation, and all of them', () => {
    const memory = new BoundedCache<number, number>(4);
    for (const key of [1, 2, 3]) memory.set(key, key);
    for (const key of [1, 3]) memory.delete(key);
    expect([1, 2, 3].map((key) => memory.get(key))).toEqual([undefined, 2, undefined]);
    for (const key of [4, 5]) memory.set(key, key);
    memory.clear();
    expect([memory.size, ...[2, 4, 5].map((key) => memory.get(key))]).toEqual([
      0,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('keeps null, and what is set again, in place', () => {
    const memory = new BoundedCache<number | null>(2);
    memory.set('none', null);
    memory.set('a', 1);
    for (let n = 0; n < 10; n++) memory.set('a', n);
    expect([memory.get('none'), memory.get('a'), memory.size]).toEqual([null, 9, 2]);
  });
});
