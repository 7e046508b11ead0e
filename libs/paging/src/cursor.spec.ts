import { Schema } from '@app/contract';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor';
import { sortKeyOf } from './sort-key';

class Task {
  @Schema({}) title!: string;
  @Schema({ type: ['string', 'null'], format: 'date-time' }) dueOn!: Date | null;
  @Schema({ type: 'integer' }) points!: number;
  @Schema({ type: 'number' }) weight!: number;
  @Schema({}) isOpen!: boolean;
}

const key = (name: keyof Task) => {
  const read = sortKeyOf(Task, name);
  return 'problem' in read ? undefined : read;
};
const list = '/tasks ';

/** A cursor of the list with any other parts. */
function forged(...parts: unknown[]): string {
  const [sum] = Buffer.from(encodeCursor(list, { id: 1 }), 'base64url')
    .toString()
    .split(':');
  return Buffer.from([sum, ...parts].join(':')).toString('base64url');
}

describe('a cursor', () => {
  it('decodes to the position that it encodes', () => {
    for (const id of [0, 1, 42, Number.MAX_SAFE_INTEGER])
      expect(decodeCursor(list, encodeCursor(list, { id }))).toEqual({ id });
    const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((value) => !value.includes('\0'));
    fc.assert(
      fc.property(text, (value) => {
        const cursor = encodeCursor(list, { id: 7, value });
        expect(decodeCursor(list, cursor, key('title'))).toEqual({ id: 7, value });
      }),
    );
    for (const value of [null, new Date('2026-11-21T09:30:00.123Z')])
      expect(decodeCursor(list, encodeCursor(list, { id: 7, value }), key('dueOn'))).toEqual({
        id: 7,
        value,
      });
  });

  it('has a bounded length, with the beginning of a long text', () => {
    const value = `${'語'.repeat(99)}👍${'語'.repeat(9000)}`;
    const cursor = encodeCursor(list, { id: 7, value });
    expect(cursor.length).toBeLessThan(600);
    const beginning = `${'語'.repeat(99)}👍`;
    expect(decodeCursor(list, cursor, key('title'))).toEqual({ id: 7, value: beginning, isCut: true });
    for (const cut of [['short'], [7], []])
      expect(decodeCursor(list, forged(7, JSON.stringify(cut)), key('title'))).toBeUndefined();
  });

  it('decodes to undefined if it is invalid', () => {
    for (const text of ['', 'x', 'aWQ6', '!!', 'W10', 'bnVsbA', encodeCursor(list, { id: 7 }).slice(1)])
      expect(decodeCursor(list, text)).toBeUndefined();
  });

  it('decodes to undefined for another list, and for another order', () => {
    expect(decodeCursor('/notes ', encodeCursor(list, { id: 7 }))).toBeUndefined();
    expect(decodeCursor(list, encodeCursor(list, { id: 7, value: 'a' }))).toBeUndefined();
    expect(decodeCursor(list, encodeCursor(list, { id: 7 }), key('title'))).toBeUndefined();
  });

  it.each([
    ['title', [7, null, {}, 'a\0', '\ud800', undefined]],
    ['dueOn', [7, '2026-02-30T00:00:00Z', '2026-02-03', '+275760-09-13T00:00:00.000Z']],
    ['points', [1.5, '1', 2 ** 53, null, true]],
    ['weight', [2 ** 53, '1', null]],
    ['isOpen', ['true', 1, null]],
  ] as const)('decodes to undefined if no row can have its value: %s', (name, values) => {
    for (const value of values)
      expect(decodeCursor(list, forged(7, JSON.stringify(value)), key(name))).toBeUndefined();
  });

  it('decodes to undefined if it is forged', () => {
    for (const parts of [[], [-1], [1.5], ['x'], [7, '"a"'], ['9'.repeat(17)]])
      expect([parts, decodeCursor(list, forged(...parts))]).toEqual([parts, undefined]);
    for (const value of ['', '{', '"a', '"a" "b"'])
      expect([value, decodeCursor(list, forged(7, value), key('title'))]).toEqual([value, undefined]);
  });

  it('only encodes valid ids', () => {
    for (const id of [-1, 1.5, Number.NaN, 2 ** 60])
      expect(() => encodeCursor(list, { id })).toThrow(RangeError);
  });
});
