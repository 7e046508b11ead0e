import { plainToInstance } from 'class-transformer';
import { IsArray, IsEmail, MinLength, validateSync, type ValidationError } from 'class-validator';
import { compileValidator } from '@app/engine';
import { ById } from './by-id';
import { IfGiven } from './if-given';
import { IsCalendarDate } from './calendar-date';
import { IsJsonObject } from './json-object';
import { IsMoment, readMoment } from './moment';
import { NoControlCharacters } from './no-control-characters';
import { NoLongerThan } from './no-longer-than';
import { NoMoreThan } from './no-more-than';
import { TrueOrFalse } from './true-or-false';

type Fields = Readonly<Record<string, unknown>>;

/** The messages by class-validator and by the compiled check, which must be equal. */
function messagesOf(type: new () => object, fields: Fields): string[] {
  const messages = validateSync(plainToInstance(type, fields)).flatMap(messagesIn);
  const checked = compileValidator(type).check(fields);
  expect('errors' in checked ? checked.errors.flatMap(messagesIn) : []).toEqual(messages);
  return messages;
}

function messagesIn({ constraints = {} }: ValidationError): string[] {
  return Object.values(constraints);
}

describe('an id in a path', () => {
  it('is an integer', () => {
    expect(plainToInstance(ById, { id: '12' })).toMatchObject({ id: 12 });
    expect(messagesOf(ById, { id: '12a' })).toEqual(['id must be an integer number']);
  });

  it('is that of no row if it is not a safe integer', () => {
    const idOf = (id: string) => plainToInstance(ById, { id }).id;
    expect(idOf('9007199254740991')).toBe(9_007_199_254_740_991);
    expect(['9007199254740992', '9007199254740993', '9'.repeat(400)].map(idOf)).toEqual([0, 0, 0]);
    expect(messagesOf(ById, { id: '9007199254740993' })).toEqual([]);
  });
});

describe('an optional field', () => {
  class Change {
    @IfGiven()
    @MinLength(1)
    name?: string;
  }

  it('is validated if it is given, including null', () => {
    expect(messagesOf(Change, {})).toEqual([]);
    expect(messagesOf(Change, { name: 'a' })).toEqual([]);
    for (const name of [null, '', 7]) {
      expect(messagesOf(Change, { name })).toEqual(['name must be longer than or equal to 1 characters']);
    }
  });
});

describe('an e-mail without control characters', () => {
  class Account {
    @NoControlCharacters()
    @IsEmail()
    email!: string;
  }
  const hidden = ['email must not contain control characters'];

  it.each([
    '"\u001b[2J"',
    '"\u0007"',
    '"a\u007f"',
    'a\u202eb',
    'a\u2067b',
    'a\u200fb',
    'a\u2028b',
    'a\u061cb',
  ])('is not %j, which class-validator accepts', (name) =>
    expect(messagesOf(Account, { email: `${name}@example.com` })).toEqual(hidden),
  );

  it.each(['ada@example.com', 'zoë@example.com', '"a b"@example.com', '山田@example.com'])('is %s', (email) =>
    expect(messagesOf(Account, { email })).toEqual([]),
  );

  it('is reported once if it is none', () => {
    for (const email of [undefined, 7, 'a'])
      expect(messagesOf(Account, { email })).toEqual(['email must be an email']);
    expect(messagesOf(Account, { email: 'a\u009bm@example.com' })).toEqual([
      'email must be an email',
      ...hidden,
    ]);
  });
});

describe('a maximum length of a string', () => {
  class Login {
    @NoLongerThan(12)
    @MinLength(8)
    password!: string;
  }

  it('is enforced', () => {
    expect(messagesOf(Login, { password: 'x'.repeat(13) })).toEqual([
      'password must be shorter than or equal to 12 characters',
    ]);
  });

  it('does not apply to missing values and values that are not strings', () => {
    const tooShort = ['password must be longer than or equal to 8 characters'];
    for (const password of [undefined, null, 7, {}])
      expect(messagesOf(Login, { password })).toEqual(tooShort);
  });

  it('counts a surrogate pair as one', () => {
    expect(messagesOf(Login, { password: '😀'.repeat(12) })).toEqual([]);
  });
});

describe('a maximum size of a list', () => {
  class Basket {
    @NoMoreThan(2)
    @IsArray()
    lines!: unknown[];
  }

  it('is enforced', () => {
    expect(messagesOf(Basket, { lines: [1, 2] })).toEqual([]);
    expect(messagesOf(Basket, { lines: [1, 2, 3] })).toEqual(['lines must contain no more than 2 elements']);
  });

  it('does not apply to missing values and values that are not lists', () => {
    for (const lines of [undefined, null, 'abc', { length: 3 }])
      expect(messagesOf(Basket, { lines })).toEqual(['lines must be an array']);
  });
});

describe('a timestamp', () => {
  class Deadline {
    @IsMoment() dueAt!: string;
  }

  it.each([
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00.123456789+02:00', '2026-11-21T07:30:00.123Z'],
    ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('is parsed from %s', (dueAt, moment) => {
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
  ])('is not parsed from %j', (dueAt) => {
    expect(messagesOf(Deadline, { dueAt })).toEqual(['dueAt must be a moment such as 2026-11-21T09:30:00Z']);
  });
});

describe('a day', () => {
  class Birth {
    @IsCalendarDate() bornOn!: string;
  }

  it.each(['2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31'])('is %s', (bornOn) => {
    expect(messagesOf(Birth, { bornOn })).toEqual([]);
  });

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '26-01-01',
    '2026-11-21T00:00:00Z',
    '2026-11-21\n',
    '',
    0,
    null,
  ])('is not %j', (bornOn) => {
    expect(messagesOf(Birth, { bornOn })).toEqual(['bornOn must be a day such as 2026-11-21']);
  });
});

class Flags {
  @TrueOrFalse()
  open!: boolean;
}

describe('a boolean in a query', () => {
  it('is true or false only', () => {
    expect(plainToInstance(Flags, { open: 'true' })).toEqual({ open: true });
    expect(plainToInstance(Flags, { open: 'false' })).toEqual({ open: false });
    for (const open of ['1', '0', 'yes', '', 'TRUE', 'constructor', ['true'], null]) {
      expect(messagesOf(Flags, { open })).toEqual(['open must be a boolean value']);
    }
  });
});

describe('an object with any members', () => {
  class Change {
    @IsJsonObject({ maxDepth: 2, maxLength: 20 }) settings!: Record<string, unknown>;
  }
  const tooLarge = 'settings must be an object of at most 2 levels and 20 characters as JSON';

  it.each([{}, { a: null }, { a: [1, 'b', true] }, { a: { b: 1 } }, { a: 'x'.repeat(12) }])(
    'is %j',
    (settings) => {
      expect(messagesOf(Change, { settings })).toEqual([]);
    },
  );

  it.each([
    undefined,
    null,
    1,
    'a',
    [],
    { a: [[]] },
    { a: { b: {} } },
    { a: 'x'.repeat(13) },
    { a: Infinity },
  ])('is not %j', (settings) => {
    expect(messagesOf(Change, { settings })).toEqual([tooLarge]);
  });
});
