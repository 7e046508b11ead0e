import { isBusy, translateSqliteError } from './sqlite-errors';

describe('an error of SQLite', () => {
  it.each([
    [5, 'database is locked', 'the database is locked by another process'],
    [6, 'database table is locked', 'a table is locked'],
    [8, 'attempt to write a readonly database', 'it is read-only'],
    [1_032, 'attempt to write a readonly database', 'it is read-only'],
    [778, 'disk I/O error', 'disk I/O error'],
    [13, 'database or disk is full', 'the disk is full'],
    [14, 'unable to open database file', 'the database file cannot be opened'],
  ])('with the code %d makes the store unavailable', (errcode, message, reason) => {
    const error = coded(errcode, message);

    expect(translateSqliteError(error)).toMatchObject({
      name: 'StoreUnavailableError',
      message: `store unavailable: ${reason}`,
      cause: error,
    });
  });

  it.each([
    [2_067, 'UNIQUE constraint failed: account.email_key', 'account_email_key_unique'],
    [2_067, 'UNIQUE constraint failed: a.b, a.c', 'a_b_c_unique'],
    [1_555, 'UNIQUE constraint failed: order_item.order_id, order_item.position', 'order_item_pkey'],
    [2_579, 'UNIQUE constraint failed: note.rowid', 'note_pkey'],
  ])('with the code %d and the message "%s" names %s', (errcode, message, constraint) => {
    expect(translateSqliteError(coded(errcode, message))).toMatchObject({
      name: 'UniqueViolationError',
      constraint,
    });
  });

  it.each([
    [
      11,
      'database disk image is malformed',
      'the database file is damaged: stop the program and restore a backup',
    ],
    [
      267,
      'database disk image is malformed',
      'the database file is damaged: stop the program and restore a backup',
    ],
    [26, 'file is not a database', 'the file is not a database'],
  ])('with the code %d is a fault of the store', (errcode, message, reason) => {
    expect(translateSqliteError(coded(errcode, message))).toMatchObject({
      name: 'StoreFaultError',
      message: `store unavailable: ${reason}`,
    });
  });

  it.each([1, 275])('with the code %d is returned unchanged', (errcode) => {
    const error = coded(errcode, 'something else');

    expect(translateSqliteError(error)).toBe(error);
  });

  it('is busy with every extended code of SQLITE_BUSY', () => {
    expect([5, 261, 517, 6, 1].map((errcode) => isBusy(coded(errcode, 'a lock')))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

function coded(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}
