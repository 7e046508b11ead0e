import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProgram } from '../../testing/child-program';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { skipWithoutTools } from '../../testing/postgres-tools';
import { type Database } from '../database/database';
import { BackupError } from '../errors';
import { backUp } from './back-up';
import { restore } from './restore';

describe('a backup', () => {
  const store = useMigratedDatabase();
  let folder: string;
  let file: string;

  beforeEach(async ({ skip }) => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-backup-'));
    file = join(folder, 'backup');
    await skipWithoutTools(skip, store.db);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is restored as it was, and later writes are gone', async () => {
    await addPost('before');
    await backUp(store.db, file);
    await addPost('after');
    await store.db.destroy();

    await restore(store.openAnother(), file);

    expect(await slugs(store.openAnother())).toEqual(['before']);
  });

  it('taken under load has all that was acknowledged before it began, and no order without its lines', async () => {
    const program = startProgram('writer.program.ts', store.url);
    if (!program.stdout) throw new TypeError('the program is started with a pipe');
    const ended = once(program, 'exit');
    const lines = createInterface(program.stdout);
    const acknowledged: number[] = [];
    lines.on('line', (line) => acknowledged.push(Number(line)));
    await once(lines, 'line');
    while (acknowledged.length < 50) await once(lines, 'line');
    const before = [...acknowledged];

    await backUp(store.db, file);
    program.kill('SIGKILL');
    await ended;
    await store.db.destroy();
    await restore(store.openAnother(), file);

    const restored = store.openAnother();
    const orders = await restored.selectFrom('sampleBasket').select('id').execute();
    const counts = await restored
      .selectFrom('sampleLine')
      .select(({ fn }) => ['basketId', fn.countAll<number>().as('lines')])
      .groupBy('basketId')
      .execute();
    const kept = new Set(orders.map(({ id }) => id));
    expect(before.filter((id) => !kept.has(id))).toEqual([]);
    expect(counts.map(({ lines: count }) => count)).toEqual(orders.map(() => 3));
  });

  it('does not replace a file', async () => {
    writeFileSync(file, 'something else');

    await expect(backUp(store.db, file)).rejects.toThrow(new BackupError(`${file} exists: name a new file`));
    expect(statSync(file).size).toBe('something else'.length);
  });

  it('can be read by its owner only', async () => {
    await backUp(store.db, file);

    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    expect(readdirSync(folder)).toEqual(['backup']);
  });

  it('is not restored while a program uses the database', async () => {
    await addPost('before');
    await backUp(store.db, file);
    await addPost('after');

    await expect(restore(store.openAnother(), file)).rejects.toThrow('stop it first');
    expect(existsSync(`${store.db.place}.restoring`)).toBe(false);
    expect(await slugs(store.db)).toEqual(['before', 'after']);
  });

  it('is not restored when it is missing or no backup', async () => {
    await addPost('kept');
    await store.db.destroy();
    await expect(restore(store.openAnother(), file)).rejects.toThrow(`there is no ${file}`);
    writeFileSync(file, 'something else');
    await expect(restore(store.openAnother(), file)).rejects.toThrow(/is damaged|pg_restore failed/);

    expect(await slugs(store.openAnother())).toEqual(['kept']);
  });

  const addPost = (slug: string) => store.db.insertInto('sampleArticle').values({ slug }).execute();
});

describe.runIf(process.env.TEST_DATABASE_URL === undefined)('restoring a SQLite file', () => {
  const store = useMigratedDatabase();

  it('leaves no WAL of the file that was there, which is kept', async () => {
    const file = `${store.db.place}.backup`;
    await store.db.insertInto('sampleArticle').values({ slug: 'before' }).execute();
    await backUp(store.db, file);
    await store.db.destroy();
    writeFileSync(`${store.db.place}-wal`, 'of another file');

    await restore(store.openAnother(), file);

    const files = readdirSync(join(store.db.place, '..')).toSorted();
    expect(files).toEqual(['test.db', 'test.db.backup', 'test.db.replaced']);
    expect(await slugs(store.openAnother())).toEqual(['before']);
  });

  it('replaces a damaged one', async () => {
    const file = `${store.db.place}.backup`;
    await store.db.insertInto('sampleArticle').values({ slug: 'before' }).execute();
    await backUp(store.db, file);
    await store.db.destroy();
    writeFileSync(store.db.place, 'not a database');

    await restore(store.openAnother(), file);

    expect(await slugs(store.openAnother())).toEqual(['before']);
  });
});

async function slugs(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('sampleArticle').select('slug').orderBy('id').execute();
  return rows.map(({ slug }) => slug);
}
