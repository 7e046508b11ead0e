import { decodeCursor, encodeCursor } from './cursor';

describe('a cursor', () => {
  it('decodes to the key that it encodes', () => {
    for (const id of [0, 1, 42, Number.MAX_SAFE_INTEGER]) expect(decodeCursor(encodeCursor(id))).toBe(id);
  });

  it('decodes to undefined if it is invalid', () => {
    for (const text of ['', 'x', 'aWQ6', 'aWQ6MDc', '!!', encodeCursor(7).slice(1)]) {
      expect(decodeCursor(text)).toBeUndefined();
    }
  });

  it('only encodes valid keys', () => {
    for (const id of [-1, 1.5, Number.NaN, 2 ** 60]) expect(() => encodeCursor(id)).toThrow(RangeError);
  });
});
