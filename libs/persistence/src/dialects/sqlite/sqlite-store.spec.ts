import { mkdtemp, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../errors';
import { SqliteFile } from './node-sqlite';
import { SqliteStore } from './sqlite-store';

const someTime = { turnMs: 5_000, statementMs: 0 };
/** Windows keeps no such modes; who may read what is decided by the folder there. */
const isWindows = process.platform === 'win32';
const hardlyAny = { turnMs: 30, statementMs: 0 };

describe('a SQLite file', () => {
  let folder: string;
  let path: string;
  const stores: SqliteStore[] = [];
  const open = (limits = someTime): SqliteStore => {
    const store = new SqliteStore(path, limits);
    stores.push(store);
    return store;
  };
  const withTable = async (): Promise<SqliteStore> => {
    const store = open();
    await store.write('create table note (id integer primary key, text text)', []);
    return store;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-'));
    path = join(folder, 'made', 'for us', 'test.db');
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is made for its owner alone, folder and side files too', async () => {
    await withTable();

    const modes = await Promise.all([join(path, '..'), path, `${path}-wal`, `${path}-shm`].map(modeOf));

    expect(modes).toEqual(isWindows ? [0o666, 0o666, 0o666, 0o666] : [0o700, 0o600, 0o600, 0o600]);
  });

  it('is written so that a power cut takes no acknowledged commit away', async () => {
    const store = await withTable();

    expect((await store.write('pragma synchronous', [])).rows).toEqual([{ synchronous: 2 }]);
    expect((await store.write('pragma journal_mode', [])).rows).toEqual([{ journal_mode: 'wal' }]);
    expect((await store.write('pragma foreign_keys', [])).rows).toEqual([{ foreign_keys: 1 }]);
  });

  it('is not written to by the reader', async () => {
    const store = await withTable();

    await expect(store.read("insert into note (text) values ('a')", [])).rejects.toThrow(
      StoreUnavailableError,
    );
    expect((await store.read('select * from note', [])).rows).toEqual([]);
  });

  it('can be read while another holds the write lock, and written once that is given back', async () => {
    const [ours, theirs] = [await withTable(), open()];
    const transaction = await theirs.begin();

    const written = ours.write("insert into note (text) values ('ours')", []);
    expect((await ours.read('select * from note', [])).rows).toEqual([]);
    transaction.run("insert into note (text) values ('theirs')", []);
    transaction.commit();
    await written;

    const { rows } = await ours.read('select text from note order by id', []);
    expect(rows).toEqual([{ text: 'theirs' }, { text: 'ours' }]);
  });

  it('is unavailable to those whose turn does not come in time, behind another program or behind us', async () => {
    await withTable();
    const [impatient, theirs] = [open(hardlyAny), open()];
    const transaction = await theirs.begin();

    const refused = ['a', 'b', 'c'].map((text) =>
      impatient.write('insert into note (text) values (?)', [text]),
    );
    const outcomes = await Promise.allSettled(refused);
    transaction.rollback();

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { name: 'StoreUnavailableError' } });
    }
    await impatient.write("insert into note (text) values ('now')", []);
    expect((await theirs.read('select text from note', [])).rows).toEqual([{ text: 'now' }]);
  });

  it('is unavailable while its folder cannot be made, and back once it can', async () => {
    await writeFile(join(folder, 'made'), 'a file where the folder should be');
    const store = open();

    await expect(store.read('select 1 as one', [])).rejects.toThrow(StoreUnavailableError);
    await expect(store.begin()).rejects.toThrow(StoreUnavailableError);
    await unlink(join(folder, 'made'));

    expect((await store.read('select 1 as one', [])).rows).toEqual([{ one: 1 }]);
  });

  it('is unavailable for writing while the disk is full or read-only, and back once it is not', async () => {
    const store = await withTable();
    const grow = (): Promise<unknown> =>
      store.write('insert into note (text) values (?)', ['a long text'.repeat(10_000)]);

    for (const cause of ['pragma max_page_count = 3', 'pragma query_only = on']) {
      await store.write(cause, []);
      await expect(grow()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      // Both settings end with their connection, as the cause of a failure on disk would end some day.
      await grow();
    }
    expect((await store.read('select count(*) as howMany from note', [])).rows).toEqual([{ howMany: 2 }]);
  });

  it('takes no more statements into a transaction that the full disk has ended', async () => {
    const store = await withTable();
    await store.write('pragma max_page_count = 3', []);
    const transaction = await store.begin();
    transaction.run("insert into note (text) values ('first half')", []);

    expect(() => transaction.run('insert into note (text) values (?)', ['x'.repeat(100_000)])).toThrow(
      StoreUnavailableError,
    );
    expect(() => transaction.run("insert into note (text) values ('on its own')", [])).toThrow(/was lost/);
    expect(() => transaction.commit()).toThrow(StoreUnavailableError);
    transaction.rollback();

    expect((await store.read('select * from note', [])).rows).toEqual([]);
    // On a new connection, so that what was the matter with the last one is over.
    await store.write('insert into note (text) values (?)', ['x'.repeat(100_000)]);
  });

  it('is opened anew after a transaction that could not be rolled back', async () => {
    const store = await withTable();
    const transaction = await store.begin();
    transaction.run("insert into note (text) values ('half')", []);
    const failing = vi.spyOn(SqliteFile.prototype, 'exec').mockImplementationOnce(() => {
      throw new Error('disk I/O error');
    });
    transaction.rollback();
    expect(failing).toHaveBeenCalledExactlyOnceWith('rollback');
    failing.mockRestore();

    await store.write("insert into note (text) values ('afterwards')", []);
    expect((await store.read('select text from note', [])).rows).toEqual([{ text: 'afterwards' }]);
  });

  it('keeps the statements prepared that come again, lists and the rarest ones left out', async () => {
    const store = await withTable();
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const list = `select ${Array.from({ length: 21 }, () => '?').join(' + ')}`;
    const timesPrepared = async (sql: string, values: number[] = []) => {
      prepare.mockClear();
      await store.read(sql, values);
      return prepare.mock.calls.length;
    };
    await store.read('select 0', []);
    await store.read('select -1', []);
    for (let number = 1; number <= 300; number += 1) {
      await store.read(`select ${number}`, []);
      expect(await timesPrepared('select 0')).toBe(0);
    }
    expect(await timesPrepared('select 300')).toBe(0);
    expect(await timesPrepared('select -1')).toBe(1);
    const ones = Array.from({ length: 21 }, () => 1);
    for (let time = 0; time < 2; time += 1) expect(await timesPrepared(list, ones)).toBe(1);
    prepare.mockRestore();
  });

  it('is told from a file that is none, which is left as it is', async () => {
    path = join(folder, 'letter.txt');
    await writeFile(path, 'Dear Sir or Madam, '.repeat(100));

    await expect(open().read('select 1', [])).rejects.toThrow(/file is not a database/);
    expect((await stat(path)).size).toBe(1_900);
  });
});

async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

describe.runIf(process.platform === 'linux')('a SQLite file in a place that takes no folders', () => {
  it('is unavailable', async () => {
    const store = new SqliteStore('/proc/no/such/place.db', someTime);
    await expect(store.read('select 1 as one', [])).rejects.toThrow(StoreUnavailableError);
  });
});
