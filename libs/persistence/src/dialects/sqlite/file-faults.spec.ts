import { copyFile, link, mkdir, mkdtemp, open, rename, rm, unlink, writeFile } from 'node:fs/promises';
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

  it('that is deleted accepts no more writes, and has all acknowledged ones', async () => {
    await link(path, join(folder, 'held.db'));
    await unlink(path);

    await expectFault(/was deleted, replaced or moved/);
    expect(await textsIn(join(folder, 'held.db'))).toEqual(['acknowledged']);
  });

  it('that is replaced accepts no more writes, and the other file is not changed', async () => {
    await writeFile(join(folder, 'other.db'), '');
    await rename(path, join(folder, 'held.db'));
    await rename(join(folder, 'other.db'), path);

    await expectFault(/was deleted, replaced or moved/);
    expect(await textsIn(join(folder, 'held.db'))).toEqual(['acknowledged']);
    await store.close();
    await expect(store.read('select 1', [])).rejects.toMatchObject({ name: 'StoreFaultError' });
  });

  it('whose folder is moved accepts no more writes until it is back', async () => {
    await rename(join(folder, 'data'), join(folder, 'moved'));

    await expectFault(/was deleted, replaced or moved/);
    await rename(join(folder, 'moved'), join(folder, 'data'));
    await store.write(insert, ['back']);
    expect(await store.check()).toEqual({ state: 'ok' });
    await store.close();
    expect(await textsIn(path)).toEqual(['acknowledged', 'back']);
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
    const other = new SqliteStore(copy, timeouts);
    const { rows } = await other.read('select text from note order by id', []);
    await other.close();
    return rows.map(({ text }) => text);
  }
});
