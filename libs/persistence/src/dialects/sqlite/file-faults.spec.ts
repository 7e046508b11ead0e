import { copyFile, mkdir, mkdtemp, open, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from './sqlite-store';

const timeouts = { waitMs: 5_000, statementMs: 0 };
const insert = 'insert into note (text) values (?)';

/** Windows neither deletes nor moves a file that is open. */
describe.skipIf(process.platform === 'win32')('a SQLite file in use', () => {
  let folder: string;
  let path: string;
  let store: SqliteStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-'));
    await mkdir(join(folder, 'data'));
    path = join(folder, 'data', 'test.db');
    store = new SqliteStore(path, timeouts);
    await store.write('create table note (id integer primary key, text text)', []);
    await store.write(insert, ['acknowledged']);
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is healthy', async () => {
    expect(await store.check()).toEqual({ state: 'ok' });
  });

  it.each([
    ['is deleted', ['']],
    ['is deleted with its WAL', ['', '-wal', '-shm']],
  ])('that %s accepts no more writes', async (_, ends) => {
    for (const end of ends) await unlink(path + end);

    await expectFault(/was deleted or moved while in use: move it back, or (run "cp|restore a backup)/);
    await store.close();
    await expect(store.read('select 1', [])).rejects.toThrow(/put it back, or restore a backup/);
  });

  describe.runIf(process.platform === 'linux')('that is deleted', () => {
    it('has all acknowledged writes, under the name that the error tells', async () => {
      await unlink(path);
      const [, opened = ''] = /"cp (\S+) \S+"/.exec(String((await store.check()).error)) ?? [];
      expect(await textsIn(opened)).toEqual(['acknowledged']);
    });
  });

  it('that is moved accepts writes again when it and its WAL are moved back', async () => {
    const moved = join(folder, 'moved');
    await rename(join(folder, 'data'), moved);
    await expectFault(/was deleted or moved/);

    await rename(moved, join(folder, 'data'));
    expect(await store.check()).toEqual({ state: 'ok' });
    await store.write(insert, ['after']);
    await store.close();
    expect(await textsIn(path)).toEqual(['acknowledged', 'after']);
  });

  it('that is replaced accepts no more writes, and the other file is not changed', async () => {
    await writeFile(join(folder, 'other.db'), '');
    await rename(join(folder, 'other.db'), path);

    await expectFault(/was replaced while in use: .*restart the program to use the new file/);
    expect(await readFile(path, 'utf8')).toBe('');
    await store.close();
    await expect(store.read('select 1', [])).rejects.toMatchObject({ name: 'StoreFaultError' });
  });

  it('whose WAL is deleted accepts no more writes, and has all acknowledged ones', async () => {
    await unlink(`${path}-wal`);

    await expectFault(/-wal was deleted or replaced/);
    expect(await textsIn(path)).toEqual(['acknowledged']);
  });

  it('that was deleted while closed is not created again', async () => {
    await store.close();
    await unlink(path);

    await expect(store.read('select 1', [])).rejects.toMatchObject({ name: 'StoreFaultError' });
    await expect(store.write(insert, ['lost'])).rejects.toMatchObject({ name: 'StoreFaultError' });
  });

  it('with a corrupted page accepts no more writes', async () => {
    await store.close();
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, 4096);
    await file.close();

    await expect(store.read('select * from note', [])).rejects.toMatchObject({ name: 'StoreFaultError' });
    await expectFault(/is damaged/);
  });

  async function expectFault(message: RegExp): Promise<void> {
    const fault = { name: 'StoreFaultError', message: expect.stringMatching(message) };
    await expect(store.write(insert, ['refused'])).rejects.toMatchObject(fault);
    expect(await store.check()).toMatchObject({ state: 'unavailable', error: fault });
  }

  async function textsIn(file: string): Promise<unknown[]> {
    // SQLite gives connections of one process to one file the same WAL.
    const copy = join(folder, 'copy.db');
    await copyFile(file, copy);
    const sqliteStore = new SqliteStore(copy, timeouts);
    const { rows } = await sqliteStore.read('select text from note order by id', []);
    await sqliteStore.close();
    return rows.map(({ text }) => text);
  }
});
