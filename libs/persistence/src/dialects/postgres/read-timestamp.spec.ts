import { types } from 'pg';
import { readTimestamp } from './read-timestamp';

describe('a timestamp of PostgreSQL', () => {
  it.each([
    '2026-01-02 03:04:05.678+00',
    '2026-01-02 03:04:05.67+00',
    '2026-01-02 03:04:05.6+00',
    '2026-01-02 03:04:05+00',
    '1999-12-31 23:59:59.999+05',
    '1999-12-31 23:59:59.999-11',
    '2026-01-02 03:04:05.678+05:30',
    '2026-01-02 03:04:05+05:30',
    '1883-11-18 12:03:58-07:52:58',
    '2026-01-02 03:04:05.678901+00',
    '0001-01-01 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '1044-03-15 12:00:00+00 BC',
    '2026-01-02 03:04:05.6789+00',
    '-infinity',
    '12026-01-01 00:00:00+00',
    'infinity',
  ])('%s is read as by pg', (text) => {
    expect(readTimestamp(text)).toEqual(types.getTypeParser(types.builtins.TIMESTAMPTZ)(text));
  });

  it('is read on each day of the calendar', () => {
    const wrong: string[] = [];
    // 400 years, after which the calendar repeats itself.
    for (let day = Date.UTC(1800, 0, 1); day < Date.UTC(2200, 0, 1); day += 86_400_000) {
      const text = new Date(day).toISOString().slice(0, 10);
      if (Number(readTimestamp(`${text} 00:00:00+00`)) !== day) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });
});
