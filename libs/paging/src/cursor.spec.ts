import { decodeCursor, encodeCursor } from './cursor';

describe('a cursor', () => {
  it('is read back to the key it was written from', () => {
    for (const id of [0, 1, 42, Number.MAX_SAFE_INTEGER]) expect(decodeCursor(encodeCursor(id))).toBe(id);
  });

  it('is nothing when we did not write it', () => {
    for (const text of ['', 'x', 'aWQ6', 'aWQ6MDc', '!!', encodeCursor(7).slice(1)]) {
      expect(decodeCursor(text)).toBeUndefined();
    }
  });

  it('cannot be written for what is no key', () => {
    for (const id of [-1, 1.5, Number.NaN, 2 ** 60]) expect(() => encodeCursor(id)).toThrow(RangeError);
  });
});
