import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  unlink,
  writeFile,
} from 'node:fs/promises';
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
  ])('that %s is written back with all acknowledged writes, and used again', async (_, ends) => {
    for (const end of ends) await unlink(path + end);

    await expectFault(/was deleted or moved while in use: the program is writing back what it has open/);
    expect(await recovered(store)).toMatch(/was written back with all acknowledged writes$/);
    expect(await textsIn(path)).toEqual(['acknowledged']);
    await store.write(insert, ['after']);
    await store.close();
    expect(await textsIn(path)).toEqual(['acknowledged', 'after']);
  });

  it('that is deleted just before the end of the program is written back', async () => {
    await unlink(path);
    await store.close();
    expect(await textsIn(path)).toEqual(['acknowledged']);
  });

  it('that is deleted is written back once by programs that share it, and used by all', async () => {
    const other = new SqliteStore(path, timeouts);
    await other.write(insert, ['of the other']);
    await unlink(path);

    await Promise.all([recovered(store), recovered(other)]);
    await store.write(insert, ['after']);
    await other.write(insert, ['after, of the other']);
    const { rows } = await store.read('select text from note order by id', []);
    expect(rows.map(({ text }) => text)).toEqual([
      'acknowledged',
      'of the other',
      'after',
      'after, of the other',
    ]);
    expect((await readdir(join(folder, 'data'))).filter((name) => name.includes('was-open'))).toEqual([]);
    await other.close();
  });

  it('that is deleted twice is written back by the program that has noticed the first time', async () => {
    const stale = new SqliteStore(path, timeouts);
    await stale.write(insert, ['before']);
    await unlink(path);
    await recovered(store);
    await store.write(insert, ['after']);

    await unlink(path);
    await expect(stale.close()).rejects.toThrow(/another program has written it back, and it is gone again/);
    await store.close();
    expect(await textsIn(path)).toEqual(['acknowledged', 'before', 'after']);
  });

  it('that is moved back is written back when it is deleted then', async () => {
    await rename(join(folder, 'data'), join(folder, 'moved'));
    await recovered(store);
    await store.close();
    await rename(join(folder, 'moved', 'test.db'), path);
    await rename(join(folder, 'moved', 'test.db-wal'), `${path}-wal`);

    store = new SqliteStore(path, timeouts);
    await store.write(insert, ['after']);
    await unlink(path);
    await recovered(store);
    expect(await textsIn(path)).toEqual(['acknowledged', 'after']);
  });

  it('that is replaced is written beside the other file, which is not changed', async () => {
    await writeFile(join(folder, 'other.db'), '');
    await rename(path, join(folder, 'held.db'));
    await rename(join(folder, 'other.db'), path);

    await expectFault(/was replaced while in use/);
    await vi.waitFor(() =>
      expectFault(/all acknowledged writes are in \S+test\.db\.was-open: stop the programs/),
    );
    expect(await textsIn(`${path}.was-open`)).toEqual(['acknowledged']);
    expect(await readFile(path, 'utf8')).toBe('');
    await store.close();
    await expect(store.read('select 1', [])).rejects.toMatchObject({ name: 'StoreFaultError' });
  });

  it('whose folder is moved is written back to a new folder', async () => {
    await rename(join(folder, 'data'), join(folder, 'moved'));

    await expectFault(/was deleted or moved/);
    await recovered(store);
    await store.write(insert, ['after']);
    await store.close();
    expect(await textsIn(path)).toEqual(['acknowledged', 'after']);
    expect(await textsIn(join(folder, 'moved', 'test.db'))).toEqual(['acknowledged']);
  });

  it('that cannot be written back stays open until it can', async () => {
    await rename(join(folder, 'data'), join(folder, 'moved'));
    await writeFile(join(folder, 'data'), '');

    await expectFault(/was deleted or moved/);
    await vi.waitFor(() => expectFault(/could not be written \(EEXIST.*do not end it before/));
    await rm(join(folder, 'data'));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    await recovered(store);
    vi.restoreAllMocks();
    expect(await textsIn(path)).toEqual(['acknowledged']);
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

  /** @returns what it notes about it */
  function recovered(one: SqliteStore): Promise<string | undefined> {
    return vi.waitFor(async () => {
      const { state, note } = await one.check();
      expect(state).toBe('ok');
      return note;
    });
  }

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
