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
});
