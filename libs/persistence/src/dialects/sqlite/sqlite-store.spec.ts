import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { nobody, startAsOrdinaryUser } from '../../../testing/child-program';
import { StoreUnavailableError } from '../../errors';
import { SqliteFile } from './node-sqlite';
import { SqliteStore } from './sqlite-store';
import { WalSync } from './wal-sync';

const longTimeouts = { waitMs: 5_000, statementMs: 0 };
/** Windows has no such modes. */
const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;
const shortTimeouts = { waitMs: 30, statementMs: 0 };

describe('a SQLite file', () => {
  let folder: string;
  let path: string;
  const stores: SqliteStore[] = [];
  const open = (timeouts = longTimeouts): SqliteStore => {
    const store = new SqliteStore(path, timeouts);
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
    for (const store of stores.splice(0)) await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is created for its owner alone, as are its directory and side files', async () => {
    await withTable();

    const modes = await Promise.all([join(path, '..'), path, `${path}-wal`, `${path}-shm`].map(modeOf));

    expect(modes).toEqual(isWindows ? [0o666, 0o666, 0o666, 0o666] : [0o700, 0o600, 0o600, 0o600]);
  });

  it('is synced by us and not by each commit, and checks foreign keys', async () => {
    const store = await withTable();

    expect((await store.write('pragma synchronous', [])).rows).toEqual([{ synchronous: 1 }]);
    expect((await store.write('pragma journal_mode', [])).rows).toEqual([{ journalMode: 'wal' }]);
    expect((await store.write('pragma foreign_keys', [])).rows).toEqual([{ foreignKeys: 1 }]);
  });

  it('is read-only for the reader', async () => {
    const store = await withTable();

    await expect(store.read("insert into note (text) values ('a')", [])).rejects.toThrow(
      StoreUnavailableError,
    );
    expect((await store.read('select * from note', [])).rows).toEqual([]);
  });

  it('can be read while another connection holds the write lock, and written after its release', async () => {
    const [ours, theirs] = [await withTable(), open()];
    const transaction = await theirs.begin();

    const written = ours.write("insert into note (text) values ('ours')", []);
    expect((await ours.read('select * from note', [])).rows).toEqual([]);
    transaction.run("insert into note (text) values ('theirs')", []);
    await transaction.commit();
    await written;

    const { rows } = await ours.read('select text from note order by id', []);
    expect(rows).toEqual([{ text: 'theirs' }, { text: 'ours' }]);
  });

  it('shows what another connection has acknowledged, while a commit of its own is not on the disk', async () => {
    const [ours, theirs] = [await withTable(), open()];
    const disk = Promise.withResolvers<void>();
    const sync = vi.spyOn(WalSync.prototype, 'run').mockReturnValueOnce(disk.promise);
    const written = ours.write("insert into note (text) values ('ours')", []);
    const texts = async () => (await ours.read('select text from note', [])).rows.map(({ text }) => text);
    while (sync.mock.calls.length === 0) await endOfTurn();
    expect(await texts()).toEqual([]);

    await theirs.write("insert into note (text) values ('theirs')", []);

    expect(await texts()).toEqual(['ours', 'theirs']);
    disk.resolve();
    await written;
    sync.mockRestore();
  });

  it('is unavailable when the write lock is not obtained in time, from another process or from the queue', async () => {
    await withTable();
    const [impatient, theirs] = [open(shortTimeouts), open()];
    const transaction = await theirs.begin();

    const refused = ['a', 'b', 'c'].map((text) =>
      impatient.write('insert into note (text) values (?)', [text]),
    );
    const outcomes = await Promise.allSettled(refused);
    await transaction.rollback();

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { name: 'StoreUnavailableError' } });
    }
    await impatient.write("insert into note (text) values ('now')", []);
    expect((await theirs.read('select text from note', [])).rows).toEqual([{ text: 'now' }]);
  });

  it('is unavailable while its directory cannot be created, and available once it can', async () => {
    await writeFile(join(folder, 'made'), 'a file in place of the directory');
    const store = open();

    await expect(store.read('select 1 as one', [])).rejects.toThrow(StoreUnavailableError);
    await expect(store.begin()).rejects.toThrow(StoreUnavailableError);
    await unlink(join(folder, 'made'));

    expect((await store.read('select 1 as one', [])).rows).toEqual([{ one: 1 }]);
  });

  it('is unavailable for writes while the disk is full or read-only, and available once it is not', async () => {
    const store = await withTable();
    const grow = (): Promise<unknown> =>
      store.write('insert into note (text) values (?)', ['a long text'.repeat(10_000)]);

    for (const cause of ['pragma max_page_count = 3', 'pragma query_only = on']) {
      await store.write(cause, []);
      await expect(grow()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      // Both settings belong to the connection, which is reopened.
      await grow();
    }
    expect((await store.read('select count(*) as howMany from note', [])).rows).toEqual([{ howMany: 2 }]);
  });

  it('rejects statements in a transaction that SQLite rolled back because the disk was full', async () => {
    const store = await withTable();
    await store.write('pragma max_page_count = 3', []);
    const transaction = await store.begin();
    transaction.run("insert into note (text) values ('first half')", []);

    expect(() => transaction.run('insert into note (text) values (?)', ['x'.repeat(100_000)])).toThrow(
      StoreUnavailableError,
    );
    expect(() => transaction.run("insert into note (text) values ('on its own')", [])).toThrow(
      /was rolled back/,
    );
    await expect(transaction.commit()).rejects.toThrow(StoreUnavailableError);
    await expect(transaction.rollback()).rejects.toThrow(/disk is full/);

    expect((await store.read('select * from note', [])).rows).toEqual([]);
    // On a new connection, without the page limit.
    await store.write('insert into note (text) values (?)', ['x'.repeat(100_000)]);
  });

  it('is reopened after a failed rollback', async () => {
    const store = await withTable();
    const transaction = await store.begin();
    transaction.run("insert into note (text) values ('half')", []);
    const exec: SqliteFile['exec'] = Reflect.get(SqliteFile.prototype, 'exec');
    const failing = vi.spyOn(SqliteFile.prototype, 'exec').mockImplementation(function failRollback(
      this: SqliteFile,
      sql,
    ) {
      if (sql.startsWith('rollback')) throw new Error('disk I/O error');
      Reflect.apply(exec, this, [sql]);
    });
    await expect(transaction.rollback()).rejects.toThrow(/was rolled back/);
    failing.mockRestore();

    await store.write("insert into note (text) values ('afterwards')", []);
    expect((await store.read('select text from note', [])).rows).toEqual([{ text: 'afterwards' }]);
  });

  it('caches prepared statements, except long lists and the least recently used', async () => {
    const store = await withTable();
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const list = `select ${Array.from({ length: 101 }, () => '?').join(' + ')}`;
    const timesPrepared = async (sql: string, values: number[] = []) => {
      prepare.mockClear();
      await store.read(sql, values);
      return prepare.mock.calls.length;
    };
    await store.read('select 0', []);
    await store.read('select -1', []);
    for (let number = 1; number <= 400; number += 1) {
      await store.read(`select ${number}`, []);
      expect(await timesPrepared('select 0')).toBe(0);
    }
    expect(await timesPrepared('select 400')).toBe(0);
    expect(await timesPrepared('select -1')).toBe(1);
    const ones = Array.from({ length: 101 }, () => 1);
    for (let time = 0; time < 2; time += 1) expect(await timesPrepared(list, ones)).toBe(1);
    prepare.mockRestore();
  });

  it('is refused before anything is created, if it is a folder', async () => {
    path = folder;
    await expect(open().read('select 1', [])).rejects.toThrow(
      `cannot be opened or created (EISDIR ${folder})`,
    );
  });

  it('that is read-only is refused before a WAL with its mode is created', async ({ skip }) => {
    skip(isWindows, 'Windows has no such modes');
    await (await withTable()).close();
    await chmod(path, 0o400);
    const failureOf = async () =>
      String((await once(startAsOrdinaryUser('reader.program.ts', `sqlite:${path}`), 'message'))[0]);
    if (isRoot)
      for (const owned of [folder, join(folder, 'made'), join(path, '..'), path])
        await chown(owned, nobody, nobody);
    expect(await failureOf()).toContain(`cannot be opened or created (EACCES ${path})`);
    expect(await readdir(join(path, '..'))).toEqual(['test.db']);
    await chmod(path, 0o600);
    expect(await failureOf()).toBe('');
  });

  it('is not mistaken for another file, which stays unchanged', async () => {
    path = join(folder, 'letter.txt');
    await writeFile(path, 'Dear Sir or Madam, '.repeat(100));

    await expect(open().read('select 1', [])).rejects.toThrow(/file is not a database/);
    expect((await stat(path)).size).toBe(1_900);
  });
});

async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

describe.runIf(process.platform === 'linux')('a SQLite file where no directory can be created', () => {
  it('is unavailable', async () => {
    const store = new SqliteStore('/proc/no/such/place.db', longTimeouts);
    await expect(store.read('select 1 as one', [])).rejects.toThrow(StoreUnavailableError);
  });
});
