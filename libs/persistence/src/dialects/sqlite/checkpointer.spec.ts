import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpointer } from './checkpointer';
import { SqliteFile } from './node-sqlite';
import { SqliteStore } from './sqlite-store';

const insert = 'insert into note (text) values (?)';
/** Two pages and a half. */
const text = 'x'.repeat(10_000);
const limits = { due: 20, full: 60 };

describe('the WAL of a SQLite file', () => {
  let folder: string;
  let path: string;
  let store: SqliteStore;
  const run: Checkpointer['run'] = Reflect.get(Checkpointer.prototype, 'run');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    path = join(folder, 'test.db');
    store = new SqliteStore(path, { waitMs: 5_000, statementMs: 0 }, limits);
    await store.write('create table note (id integer primary key, text text)', []);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('is checkpointed by a thread, and by no statement of this one', async () => {
    const executed = [vi.spyOn(SqliteFile.prototype, 'exec'), vi.spyOn(SqliteFile.prototype, 'run')];
    while (size() < 100 * text.length) await write(10);

    const statements = executed.flatMap(({ mock }) => mock.calls.map(([sql]) => sql));
    expect(statements.filter((sql) => /checkpoint(?!\(noop)/.test(sql))).toEqual([]);
  });

  it('stays short while eight callers write without a pause', async () => {
    const writers = Array.from({ length: 8 }, async () => {
      while (size() < 4 * size('-wal')) await write(1);
    });

    // Otherwise it has all that was written, and they never end.
    await expect(Promise.all(writers)).resolves.toBeDefined();
  });

  it('shrinks after a long reader has gone', async () => {
    const reader = new SqliteFile(path, 'read');
    reader.exec('begin; select 1 from note');
    while (size('-wal') < 20 * 1024 * 1024) await write(100);
    reader.exec('end');
    reader.close();

    while (size('-wal') > 16 * 1024 * 1024) await write(1);
    expect((await store.read('pragma quick_check', [])).rows).toEqual([{ quickCheck: 'ok' }]);
  });

  it('is read and written while a checkpoint runs', async () => {
    const disk = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    vi.spyOn(Checkpointer.prototype, 'run').mockImplementationOnce(async () => {
      begun.resolve();
      await disk.promise;
    });
    await write(20);
    await begun.promise;
    await write(100);

    expect((await store.read('select count(*) as count from note', [])).rows).toEqual([{ count: 120 }]);
    expect(size('-wal')).toBeGreaterThan(100 * text.length);
    disk.resolve();
  });

  it('is checkpointed by another thread after one has failed', async () => {
    const runs = vi.spyOn(Checkpointer.prototype, 'run').mockRejectedValueOnce(new Error('disk I/O error'));
    while (size() < 20 * text.length) await write(1);

    expect(new Set(runs.mock.contexts).size).toBe(2);
  });

  it('is removed by the last connection, when the store is closed while a checkpoint runs', async () => {
    const begun = Promise.withResolvers<void>();
    vi.spyOn(Checkpointer.prototype, 'run').mockImplementation(function begin(this: Checkpointer) {
      begun.resolve();
      return Reflect.apply(run, this, []);
    });
    await write(20);
    await begun.promise;
    await store.close();

    expect(existsSync(`${path}-wal`)).toBe(false);
    const again = new SqliteStore(path, { waitMs: 5_000, statementMs: 0 });
    expect((await again.read('select count(*) as count from note', [])).rows).toEqual([{ count: 20 }]);
    await again.close();
  });

  function size(suffix = ''): number {
    return statSync(path + suffix).size;
  }

  async function write(rows: number): Promise<void> {
    for (let at = 0; at < rows; at += 1) await store.write(insert, [text]);
  }
});

describe('a checkpoint', () => {
  it('says why it failed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    const path = join(folder, 'test.db');
    writeFileSync(path, 'no database '.repeat(1_000));
    const checkpointer = new Checkpointer(path);

    await expect(checkpointer.run()).rejects.toThrow(
      'the WAL was not checkpointed: Error: file is not a database',
    );
    await checkpointer.close();
    await expect(checkpointer.run()).rejects.toThrow('the thread has ended');
    rmSync(folder, { recursive: true });
  });
});
