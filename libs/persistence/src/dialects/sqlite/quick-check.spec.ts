import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreFaultError } from '../../errors';
import { quickCheck } from './quick-check';
import { SqliteStore } from './sqlite-store';

describe('the check of a SQLite file at start', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-'));
    path = join(folder, 'test.db');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('accepts an undamaged file, with its WAL, an empty file, and one that does not exist', async () => {
    expect(quickCheck(path)).toBe(true);
    await writeFile(path, '');
    expect(quickCheck(path)).toBe(true);
    const store = await filledStore(path, 100);
    expect(quickCheck(path)).toBe(true);
    await store.close();
    expect(quickCheck(path)).toBe(true);
  });

  it('rejects a backup with the WAL of another file beside it, and changes neither', async () => {
    // The WAL of a program that was killed: its file is in use, and so nothing was moved out of the WAL.
    const store = await filledStore(join(folder, 'killed.db'), 2_000);
    await store.execute('pragma wal_checkpoint(truncate)', []);
    await store.write("insert into note2000 (text) values ('the last one')", []);
    await copyFile(join(folder, 'killed.db-wal'), join(folder, 'left-over-wal'));
    await store.close();
    await (await filledStore(path, 3_000)).close();
    await copyFile(join(folder, 'left-over-wal'), `${path}-wal`);
    const before = await Promise.all([readFile(path), readFile(`${path}-wal`)]);

    expect(() => quickCheck(path)).toThrow(StoreFaultError);
    expect(() => quickCheck(path)).toThrow(/-wal may belong to another file/);
    expect(await Promise.all([readFile(path), readFile(`${path}-wal`)])).toEqual(before);
  });

  it('rejects a file with a corrupted page', async () => {
    await (await filledStore(path, 2_000)).close();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xff, 4096, 8192));

    expect(() => quickCheck(path)).toThrow(/is damaged .* restore a backup/);
  });

  it('skips a file that would take too long', async () => {
    await (await filledStore(path, 2_000)).close();

    expect(quickCheck(path, 4096)).toBe(false);
  });
});

async function filledStore(path: string, rows: number): Promise<SqliteStore> {
  const store = new SqliteStore(path, { waitMs: 5_000, statementMs: 0 });
  await store.write(`create table note${rows} (id integer primary key, text text unique)`, []);
  await store.write(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
     insert into note${rows} (text) select 'a text of the note with the number ' || i from n`,
    [],
  );
  return store;
}
