import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { type Database } from '../database/database';
import { backUp } from '../backup/back-up';
import { applyFrames, type WalPart, type WalPosition } from './wal-format';
import { WalFollower } from './wal-follower';

describe.runIf(process.env.TEST_DATABASE_URL === undefined)('following the WAL of a SQLite file', () => {
  const store = useMigratedDatabase();
  const followers: WalFollower[] = [];
  let copy: string;
  let sent = 0;
  beforeEach(() => {
    copy = `${store.db.place}.copy`;
    sent = 0;
  });
  afterEach(() => {
    for (const follower of followers.splice(0)) follower.close();
  });

  it('gives every commit, in parts that make the file of the moment when they are applied', async () => {
    const follower = await follow();
    await backUp(store.db, copy);
    await write(3);
    await apply(await follower.read());
    expect(slugsIn(copy)).toEqual(['0', '1', '2']);
    await write(2);
    await store.db.deleteFrom('sampleArticle').where('slug', '=', '0').execute();
    await apply(await follower.read());
    expect(slugsIn(copy)).toEqual(['1', '2', '3', '4']);
    expect(await follower.read()).toEqual([]);
  });

  it('misses nothing while the WAL is checkpointed and begun anew, by several programs', async () => {
    const follower = await follow();
    await backUp(store.db, copy);
    const database = store.openAnother();
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([write(100), write(50, database)]);
      const checkpointing = new DatabaseSync(store.db.place);
      checkpointing.exec('pragma wal_checkpoint(passive)');
      checkpointing.close();
      await apply(await follower.read());
      if (round % 2 === 0) await follower.restart();
      await write(5, database);
    }
    await apply(await follower.read());
    expect(slugsIn(copy)).toHaveLength(sent);
    expect(statSync(`${store.db.place}-wal`).size).toBeLessThan(20_000_000);
  });

  it('keeps the WAL from being begun anew by others, and begins it anew itself', async () => {
    const follower = await follow();
    await write(50);
    await follower.read();
    const size = statSync(`${store.db.place}-wal`).size;
    const writer = new DatabaseSync(store.db.place, { timeout: 0 });
    expect(writer.prepare('pragma wal_checkpoint(restart)').get()).toMatchObject({ busy: 1 });
    writer.close();
    await follower.restart();
    await write(1);
    expect(statSync(`${store.db.place}-wal`).size).toBe(size);
    const [part] = await follower.read();
    expect(part?.position.frame).toBeLessThan(10);
  });

  it('is done by one program at a time, and by the next when it ends', async () => {
    const follower = await follow();
    expect(await WalFollower.open(store.openAnother())).toBeUndefined();
    follower.close();
    expect(await WalFollower.open(store.openAnother()).then(remember)).toBeDefined();
  });

  it.each(['closed', 'killed'])('goes on where it was after a program was %s', async (end) => {
    const follower = await follow();
    await backUp(store.db, copy);
    await write(3);
    const parts = await follower.read();
    await apply(parts);
    await write(3);
    if (end === 'closed') await store.db.destroy();
    else follower.close();
    expect(existsSync(`${store.db.place}-wal`)).toBe(true);

    const db = store.openAnother();
    await write(1, db);
    // Another connection than the one that wrote the WAL.
    await store.openAnother().check();
    const next = remember(await WalFollower.open(db, async () => parts.at(-1)?.position));
    await write(1, db);
    await apply((await next?.read()) ?? []);
    expect(next?.isResumed).toBe(true);
    expect(slugsIn(copy)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });

  it('goes on in what was not sent before the WAL was begun anew, as long as it is not', async () => {
    const follower = await follow();
    await backUp(store.db, copy);
    await write(3);
    const [first = expect.unreachable()] = await follower.read();
    await apply([first]);
    await follower.noteSent(first.position);
    await write(3);
    await follower.read();
    await follower.restart();
    await write(3);
    await follower.restart();
    follower.close();

    const next = remember(await WalFollower.open(store.db, async () => first.position));
    const parts = (await next?.read()) ?? [];
    expect(next?.isResumed).toBe(true);
    await apply(parts);
    expect(slugsIn(copy)).toHaveLength(9);
    for (const { position } of parts) await next?.noteSent(position);
    expect(existsSync(`${store.db.place}-unsent`)).toBe(false);
    next?.close();
    expect(await isResumed(store.db, first.position)).toBe(false);
  });

  it('does not go on in what was not sent if a part of it is damaged, or a WAL is missing', async () => {
    const follower = await follow();
    await write(3);
    const [{ position } = expect.unreachable()] = await follower.read();
    await follower.noteSent(position);
    await write(3);
    await follower.restart();
    follower.close();
    const kept = readFileSync(`${store.db.place}-unsent`);
    writeFileSync(`${store.db.place}-unsent`, kept.subarray(0, -1));
    expect(await isResumed(store.db, position)).toBe(false);
    // Opening has begun the WAL anew.
    writeFileSync(`${store.db.place}-unsent`, kept);
    expect(await isResumed(store.db, position)).toBe(false);
  });

  it('does not go on in a WAL that it does not know', async () => {
    const follower = await follow();
    await write(3);
    const position = (await follower.read()).at(-1)?.position ?? { frame: 0, checksum: '' };
    follower.close();
    const checksum = position.checksum.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    for (const unknown of [
      { ...position, checksum },
      { ...position, frame: 1e6 },
    ])
      expect(await isResumed(store.db, unknown)).toBe(false);
    await store.db.destroy();

    const db = store.openAnother();
    await write(20, db);
    expect(await isResumed(db, position)).toBe(false);
  });

  it('notices a WAL that was begun anew behind its back', async () => {
    const follower = await follow();
    await write(3);
    const exec = Reflect.get(DatabaseSync.prototype, 'exec');
    const released = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function end(
      this: DatabaseSync,
      sql,
    ) {
      Reflect.apply(exec, this, [sql.startsWith('end;') ? 'end' : sql]);
    });
    await follower.read();
    released.mockRestore();
    const writer = new DatabaseSync(store.db.place);
    writer.exec('pragma wal_checkpoint(truncate)');
    writer.close();
    await write(1);
    await expect(follower.read()).rejects.toThrow('a new backup is made');
  });

  const follow = async () => remember(await WalFollower.open(store.db)) ?? expect.unreachable();

  async function isResumed(db: Database, position: WalPosition): Promise<boolean | undefined> {
    const follower = await WalFollower.open(db, async () => position);
    follower?.close();
    return follower?.isResumed;
  }

  function remember(follower: WalFollower | undefined): WalFollower | undefined {
    if (follower) followers.push(follower);
    return follower;
  }

  async function write(count: number, db: Database = store.db): Promise<void> {
    const slugs = Array.from({ length: count }, () => String(sent++));
    for (const slug of slugs) await db.insertInto('sampleArticle').values({ slug }).execute();
  }

  async function apply(parts: readonly WalPart[]): Promise<void> {
    for (const { frames } of parts) await applyFrames(copy, frames);
  }
});

/** Reads a copy, because a connection to the file itself would leave a WAL. */
function slugsIn(path: string): unknown[] {
  copyFileSync(path, `${path}.read`);
  const database = new DatabaseSync(`${path}.read`);
  const { quick_check: result } = database.prepare('pragma quick_check').get() ?? {};
  const rows = database.prepare('select slug from sample_article order by id').all();
  database.close();
  expect(result).toBe('ok');
  return rows.map(({ slug }) => slug);
}
