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
    '2026-01-02 03:04:05.678901+00',
    '0001-01-01 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '12026-01-01 00:00:00+00',
    'infinity',
  ])('%s is read as by pg', (text) => {
    expect(readTimestamp(text)).toEqual(types.getTypeParser(types.builtins.TIMESTAMPTZ)(text));
  });
});
