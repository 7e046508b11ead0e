import { UnstorableTextError, UnstorableValueError } from '../errors';
import { bindParameters, columnOf } from './bind-parameters';

describe('the parameters of a statement', () => {
  const insert = 'insert into "item" ("sku", "created_at") values (?, ?), (?, ?)';
  const update = 'update "item" set "name" = $1, "price" = "price" + $2, "sold_at" = $3 where "id" = $4';

  it.each([
    [insert, ['sku', 'createdAt', 'sku', 'createdAt']],
    [update, ['name', undefined, 'soldAt', 'id']],
    ['select "id" from "item" where "id" = ? limit ?', ['id', undefined]],
    ['insert into "item" default values', [undefined]],
  ])('are written to the columns that it names: %s', (sql, columns) => {
    expect(columns.map((_column, index) => columnOf(sql, index))).toEqual(columns);
  });

  it.each([Number.NaN, Infinity, 1e300, 2 ** 53, 2n ** 63n, new Date(Number.NaN)])(
    'are rejected with value and column when no database holds them: %s',
    (value) => {
      const error = thrownBy(() => bindParameters(insert, ['one', value]));
      expect(error).toBeInstanceOf(UnstorableValueError);
      expect([error.isAbout(value, ''), error.isAbout('one', '')]).toEqual([true, false]);
      expect([error.isAboutColumn('createdAt'), error.isAboutColumn('sku')]).toEqual([true, false]);
      expect(Object.keys(error)).toEqual(['name']);
    },
  );

  it('are rejected if they are text with a NUL', () => {
    const error = thrownBy(() => bindParameters(insert, ['a\0b', null]));
    expect(error).toBeInstanceOf(UnstorableTextError);
    expect(error.isAbout('a\0b', '') && error.isAboutColumn('sku')).toBe(true);
  });

  it('are a programming error if no database has such values', () => {
    for (const mistake of [undefined, {}, Symbol('s')])
      expect(() => bindParameters(insert, [mistake])).toThrow(/cannot be bound to a query/);
  });
});

function thrownBy(act: () => unknown): UnstorableValueError {
  try {
    act();
  } catch (error) {
    if (error instanceof UnstorableValueError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
