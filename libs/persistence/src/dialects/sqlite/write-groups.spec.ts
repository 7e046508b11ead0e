import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { UniqueViolationError } from '../../errors';
import { SqliteFile } from './node-sqlite';
import { SqliteStore } from './sqlite-store';

const insert = 'insert into note (text) values (?)';

describe('writes on SQLite', () => {
  let folder: string;
  let store: SqliteStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-'));
    store = new SqliteStore(join(folder, 'test.db'), { waitMs: 5_000, statementMs: 0 });
    await store.write('create table note (id integer primary key, text text unique)', []);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('of one iteration of the event loop are committed together, in the order of the calls', async () => {
    const exec = vi.spyOn(SqliteFile.prototype, 'exec');

    await Promise.all(
      ['a', 'b', 'c', 'd'].map((text, at) => (at % 2 ? store.write(insert, [text]) : inOneTransaction(text))),
    );

    expect(exec.mock.calls.filter(([sql]) => sql === 'commit')).toHaveLength(1);
    expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('see those before them, and roll back only themselves if they fail', async () => {
    const outcomes = await Promise.allSettled([
      inOneTransaction('a'),
      inOneTransaction('b', 'a'),
      store.write(insert, ['a']),
      inOneTransaction('b'),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(UniqueViolationError) });
    expect(await texts()).toEqual(['a', 'b']);
  });

  it('are invisible and not acknowledged before the commit', async () => {
    const answered = vi.fn<() => void>();
    const transaction = await store.begin();
    transaction.run(insert, ['a']);
    const committed = transaction.commit().then(answered);

    expect(await texts()).toEqual([]);
    expect(answered).not.toHaveBeenCalled();
    await committed;
    expect(await texts()).toEqual(['a']);
  });

  it('all fail if the commit fails, including those that failed because of another one', async () => {
    failOnce('commit');

    const outcomes = await Promise.allSettled([
      inOneTransaction('a'),
      store.write(insert, ['a']),
      inOneTransaction('b'),
    ]);

    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { name: 'StoreUnavailableError' } });
    expect(await texts()).toEqual([]);
    await inOneTransaction('a');
    expect(await texts()).toEqual(['a']);
  });

  it('of a later iteration are committed later, while one of an earlier iteration waits for something else', async () => {
    const slow = Promise.withResolvers<string>();
    const exec = vi.spyOn(SqliteFile.prototype, 'exec');
    const first = inOneTransaction('first');
    const second = inOneTransaction(slow.promise);
    // The first iteration opens the group, the second ends it.
    await endOfTurn();
    await endOfTurn();
    const third = inOneTransaction('third');
    slow.resolve('second');

    await Promise.all([first, second, third]);
    expect(exec.mock.calls.filter(([sql]) => sql === 'commit')).toHaveLength(2);
    expect(await texts()).toEqual(['first', 'second', 'third']);
  });

  it('do not affect a statement that is not allowed in a transaction', async () => {
    await Promise.all([inOneTransaction('a'), store.execute('vacuum', []), inOneTransaction('b')]);

    expect(await texts()).toEqual(['a', 'b']);
  });

  /** Writes the texts in one transaction. */
  async function inOneTransaction(...values: (string | Promise<string>)[]): Promise<void> {
    const transaction = await store.begin();
    try {
      for (const text of values) transaction.run(insert, [typeof text === 'string' ? text : await text]);
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
    await transaction.commit();
  }

  async function texts(): Promise<unknown[]> {
    const { rows } = await store.read('select text from note order by id', []);
    return rows.map(({ text }) => text);
  }

  function failOnce(statement: string): void {
    const exec: SqliteFile['exec'] = Reflect.get(SqliteFile.prototype, 'exec');
    let hasFailed = false;
    vi.spyOn(SqliteFile.prototype, 'exec').mockImplementation(function fail(this: SqliteFile, sql) {
      if (sql !== statement || hasFailed) return Reflect.apply(exec, this, [sql]);
      hasFailed = true;
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
    });
  }
});
