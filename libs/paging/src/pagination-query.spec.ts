import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { encodeCursor } from './cursor';
import { PaginationQuery } from './pagination-query';

type Fields = Readonly<Record<string, unknown>>;

function messagesOf(type: new () => object, fields: Fields): string[] {
  return validateSync(plainToInstance(type, fields)).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );
}

describe('the pagination query', () => {
  it('defaults to the first page of ten', () => {
    expect(plainToInstance(PaginationQuery, {})).toMatchObject({ limit: 10, page: 1, offset: 0 });
    expect(messagesOf(PaginationQuery, {})).toEqual([]);
  });

  it('parses strings of digits', () => {
    expect(plainToInstance(PaginationQuery, { limit: '100', page: '007' })).toMatchObject({
      limit: 100,
      page: 7,
      offset: 600,
    });
  });

  it.each(['1e1', ' 10 ', '0x0a', '10.0', '', '+5', '-5', '１０', '10\n', 'abc'])(
    'rejects a number that is not a string of digits: %j',
    (limit) => {
      expect(messagesOf(PaginationQuery, { limit })).toEqual([
        'limit must be an integer number',
        'limit must not be less than 1',
        'limit must not be greater than 100',
      ]);
    },
  );

  it.each([[['1', '2']], [{ a: '1' }], [null], [true]])(
    'rejects a number that is not a string: %j',
    (limit) => {
      expect(messagesOf(PaginationQuery, { limit })).toContain('limit must be an integer number');
    },
  );

  it('rejects numbers out of range', () => {
    expect(messagesOf(PaginationQuery, { limit: '0' })).toEqual(['limit must not be less than 1']);
    expect(messagesOf(PaginationQuery, { limit: '101' })).toEqual(['limit must not be greater than 100']);
    expect(messagesOf(PaginationQuery, { page: '0' })).toEqual(['page must not be less than 1']);
  });

  it('limits the offset to a safe integer', () => {
    const query = plainToInstance(PaginationQuery, { limit: '100', page: '9'.repeat(400) });
    expect(messagesOf(PaginationQuery, { page: '9'.repeat(400) })).toEqual([]);
    expect(query).toMatchObject({ page: Number.MAX_SAFE_INTEGER, offset: Number.MAX_SAFE_INTEGER });
  });

  it('accepts cursors by their letters', () => {
    const cursor = encodeCursor('/notes ', { id: 7 });
    expect(messagesOf(PaginationQuery, { after: cursor })).toEqual([]);
    for (const after of ['', '!!', 'a b', `${cursor}=`, ['a'], 7]) {
      expect(messagesOf(PaginationQuery, { after })).toEqual([
        'after must be a cursor from an earlier response',
      ]);
    }
  });
});
