import { plainToInstance } from 'class-transformer';
import { MinLength, validateSync } from 'class-validator';
import { ById } from './by-id';
import { decodeCursor, encodeCursor } from './cursor';
import { IfGiven } from './if-given';
import { IsMoment, readMoment } from './moment';
import { NoLongerThan } from './no-longer-than';
import { PaginationQuery } from './pagination-query';
import { TrueOrFalse } from './true-or-false';

type Fields = Readonly<Record<string, unknown>>;

function messagesOf(type: new () => object, fields: Fields): string[] {
  return validateSync(plainToInstance(type, fields)).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );
}

describe('a page asked for', () => {
  it('is the first of ten, where nothing is said', () => {
    expect(plainToInstance(PaginationQuery, {})).toMatchObject({ limit: 10, page: 1, offset: 0 });
    expect(messagesOf(PaginationQuery, {})).toEqual([]);
  });

  it('is read from digits', () => {
    expect(plainToInstance(PaginationQuery, { limit: '100', page: '007' })).toMatchObject({
      limit: 100,
      page: 7,
      offset: 600,
    });
  });

  it.each(['1e1', ' 10 ', '0x0a', '10.0', '', '+5', '-5', '１０', '10\n', 'abc'])(
    'is refused where the number is no string of digits: %j',
    (limit) => {
      expect(messagesOf(PaginationQuery, { limit })).toEqual([
        'limit must be an integer number',
        'limit must not be less than 1',
        'limit must not be greater than 100',
      ]);
    },
  );

  it.each([[['1', '2']], [{ a: '1' }], [null], [true]])(
    'is refused where the number is no text: %j',
    (limit) => {
      expect(messagesOf(PaginationQuery, { limit })).toContain('limit must be an integer number');
    },
  );

  it('is refused outside its bounds', () => {
    expect(messagesOf(PaginationQuery, { limit: '0' })).toEqual(['limit must not be less than 1']);
    expect(messagesOf(PaginationQuery, { limit: '101' })).toEqual(['limit must not be greater than 100']);
    expect(messagesOf(PaginationQuery, { page: '0' })).toEqual(['page must not be less than 1']);
  });

  it('is never so far off that a store could not be asked for it', () => {
    const query = plainToInstance(PaginationQuery, { limit: '100', page: '9'.repeat(400) });
    expect(messagesOf(PaginationQuery, { page: '9'.repeat(400) })).toEqual([]);
    expect(query).toMatchObject({ page: Number.MAX_SAFE_INTEGER, offset: Number.MAX_SAFE_INTEGER });
  });

  it('reads on after a cursor of ours and no other', () => {
    expect(messagesOf(PaginationQuery, { after: encodeCursor(7) })).toEqual([]);
    for (const after of ['', '7', 'aWQ6', `${encodeCursor(7)}=`, ['a'], 7]) {
      expect(messagesOf(PaginationQuery, { after })).toEqual([
        'after must be a cursor from an earlier answer',
      ]);
    }
  });
});

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

describe('an id in a path', () => {
  it('is a whole number', () => {
    expect(plainToInstance(ById, { id: '12' })).toMatchObject({ id: 12 });
    expect(messagesOf(ById, { id: '12a' })).toEqual(['id must be an integer number']);
  });
});

describe('a field that may be left out', () => {
  class Change {
    @IfGiven()
    @MinLength(1)
    name?: string;
  }

  it('is held to its rules where it is given, null too', () => {
    expect(messagesOf(Change, {})).toEqual([]);
    expect(messagesOf(Change, { name: 'a' })).toEqual([]);
    for (const name of [null, '', 7]) {
      expect(messagesOf(Change, { name })).toEqual(['name must be longer than or equal to 1 characters']);
    }
  });
});

describe('a bound on the length of a text', () => {
  class Login {
    @NoLongerThan(12)
    @MinLength(8)
    password!: string;
  }

  it('is told', () => {
    expect(messagesOf(Login, { password: 'x'.repeat(13) })).toEqual([
      'password must be shorter than or equal to 12 characters',
    ]);
  });

  it('is not told of what is missing or no text', () => {
    const tooShort = ['password must be longer than or equal to 8 characters'];
    for (const password of [undefined, null, 7, {}])
      expect(messagesOf(Login, { password })).toEqual(tooShort);
  });

  it('counts a surrogate pair as one', () => {
    expect(messagesOf(Login, { password: '😀'.repeat(12) })).toEqual([]);
  });
});

describe('a moment', () => {
  class Deadline {
    @IsMoment() dueAt!: string;
  }

  it.each([
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00.123456789+02:00', '2026-11-21T07:30:00.123Z'],
    ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('is read from %s', (dueAt, moment) => {
    expect(messagesOf(Deadline, { dueAt })).toEqual([]);
    expect(readMoment(dueAt)?.toISOString()).toBe(moment);
  });

  it.each([
    '2026-11-21',
    '2026-11-21T09:30:00',
    '2026-02-29T09:30:00Z',
    '2026-02-30T09:30:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:59:60Z',
    '2026-11-21 09:30:00Z',
    '2026-11-21T09:30:00Z\n',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-11-21 or soT09:30:00Z',
    '+012026-11-21T09:30:00Z',
    '',
    0,
    null,
    ['2026-11-21T09:30:00Z'],
  ])('is not read from %j', (dueAt) => {
    expect(messagesOf(Deadline, { dueAt })).toEqual(['dueAt must be a moment such as 2026-11-21T09:30:00Z']);
  });
});

class Flags {
  @TrueOrFalse()
  open!: boolean;
}

describe('a yes or no in a query', () => {
  it('is true or false, and no other word', () => {
    expect(plainToInstance(Flags, { open: 'true' })).toEqual({ open: true });
    expect(plainToInstance(Flags, { open: 'false' })).toEqual({ open: false });
    for (const open of ['1', '0', 'yes', '', 'TRUE', 'constructor', ['true'], null]) {
      expect(messagesOf(Flags, { open })).toEqual(['open must be a boolean value']);
    }
  });
});
