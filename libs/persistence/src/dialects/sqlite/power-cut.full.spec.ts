import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreFaultError } from '../../errors';
import { quickCheck } from './quick-check';
import { SqliteStore } from './sqlite-store';
import { WalSync } from './wal-sync';

const insert = 'insert into note (text) values (?)';
/** Large enough that the WAL is checkpointed, and written from its start again, several times. */
const padding = 'x'.repeat(6_000);

describe('a SQLite file', () => {
  let folder: string;
  let store: SqliteStore;
  const sync: WalSync['run'] = Reflect.get(WalSync.prototype, 'run');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    store = open(join(folder, 'test.db'));
    await store.write('create table note (id integer primary key, text text)', []);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('shows and acknowledges no write before it is on the disk', async () => {
    const disk = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    vi.spyOn(WalSync.prototype, 'run').mockImplementationOnce(async () => {
      begun.resolve();
      await disk.promise;
    });
    const acknowledged = vi.fn<() => void>();
    const first = store.write(insert, ['first']).then(acknowledged);
    await begun.promise;
    const second = store.write(insert, ['second']).then(acknowledged);

    expect(await textsIn(store)).toEqual([]);
    expect(acknowledged).not.toHaveBeenCalled();
    disk.resolve();
    await first;
    expect(await textsIn(store)).toContain('first');
    await second;
    expect(await textsIn(store)).toEqual(['first', 'second']);
  });

  it('holds all that was acknowledged after a power cut, which drops what was written after the last sync', async () => {
    let copies = 0;
    let onDisk = '';
    const cuts: { readonly path: string; readonly acknowledged: readonly string[] }[] = [];
    vi.spyOn(WalSync.prototype, 'run').mockImplementation(async function run(this: WalSync) {
      const image = copyTo(String((copies += 1)));
      await Reflect.apply(sync, this, []);
      onDisk = image;
    });
    const acknowledged: string[] = [];
    const write = async (text: string): Promise<void> => {
      await store.write(insert, [text + padding]);
      acknowledged.push(text);
      if (acknowledged.length % 40 !== 0) return;
      cuts.push({ path: onDisk, acknowledged: [...acknowledged] });
      // Between a write and its sync: more than was acknowledged may be there.
      cuts.push({ path: copyTo(`cut-${acknowledged.length}`), acknowledged: [...acknowledged] });
    };
    const writer = async (name: number): Promise<void> => {
      for (let at = 0; at < 50; at += 1) await write(`${name}-${at}:`);
    };

    await Promise.all(Array.from({ length: 12 }, (_, name) => writer(name)));

    expect(cuts.length).toBe(30);
    for (const { path, acknowledged: expected } of cuts) {
      expect(quickCheck(path)).toBe(true);
      const image = open(path);
      const kept = (await textsIn(image)).map((text) => text.slice(0, -padding.length));
      await image.close();
      expect(new Set(kept).size).toBe(kept.length);
      expect(expected.filter((text) => !kept.includes(text))).toEqual([]);
    }
  });

  it('takes no more writes when the disk has not confirmed one', async () => {
    await store.write(insert, ['kept']);
    const failed = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    vi.spyOn(WalSync.prototype, 'run').mockRejectedValueOnce(failed);

    await expect(store.write(insert, ['a'])).rejects.toThrow(StoreFaultError);
    await expect(store.write(insert, ['b'])).rejects.toThrow('the disk did not confirm a write');
    expect(await store.check()).toMatchObject({ state: 'unavailable', error: { cause: failed } });
    expect(await textsIn(store)).toContain('kept');
  });

  function copyTo(name: string): string {
    const image = join(folder, name);
    mkdirSync(image);
    for (const file of ['test.db', 'test.db-wal']) copyFileSync(join(folder, file), join(image, file));
    return join(image, 'test.db');
  }
});

function open(path: string): SqliteStore {
  return new SqliteStore(path, { waitMs: 5_000, statementMs: 0 }, { due: 50, full: 150 });
}

async function textsIn(store: SqliteStore): Promise<string[]> {
  const { rows } = await store.read('select text from note order by id', []);
  return rows.map(({ text }) => String(text));
}
