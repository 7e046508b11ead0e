import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { type Backups, openBackups } from './backups';
import { ContinuousBackup } from './continuous-backup';
import type { BackupPlace } from './place';
import { restoreToTime } from './restore-to-time';
import { listSegments } from './segments';

const dayMs = 86_400_000;

describe('continuous backups', () => {
  const store = useMigratedDatabase();
  let folder: string;
  let backups: Backups;
  let place: BackupPlace;
  let running: ContinuousBackup;
  let restores = 0;
  const open: ContinuousBackup[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-continuous-'));
    backups = await openBackups({ to: join(folder, 'backups'), recipients: [] });
    place = {
      db: store.db,
      uploads: join(folder, 'uploads'),
      keys: { 'jwt-secret': join(folder, 'jwt-secret') },
    };
    await mkdir(place.uploads);
    running = program();
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const each of open.splice(0)) each.end();
    await rm(folder, { recursive: true });
  });

  it('restore to any second, with writes before and after it', async () => {
    const clock = stoppedClock();
    await begin();
    for (const second of [1, 2, 3, 4, 5]) {
      clock(second);
      await addPost(`at ${second}`);
      await running.read();
      if (second % 2 === 0) await running.send();
    }
    await running.send();

    for (const second of [0, 1, 2, 3, 4, 5])
      expect(await restored(new Date(start + second * 1000 + 999))).toEqual(
        [1, 2, 3, 4, 5].slice(0, second).map((each) => `at ${each}`),
      );
    expect(await restored()).toHaveLength(5);
    await expect(restored(new Date(start - 1))).rejects.toThrow('there is no backup before');
  });

  it('have files and keys that came after the backup', async () => {
    await begin();
    await writeFile(join(place.uploads, 'new'), 'picture');
    await writeFile(join(folder, 'jwt-secret'), 'changed');
    await running.send();

    await restored();
    expect(await readdir(join(folder, `restored-${restores}`, 'uploads'))).toEqual(['new']);
    expect(await readdir(join(folder, `restored-${restores}`))).toContain('jwt-secret');
  });

  it('go on after a restart, without another backup', async () => {
    await begin();
    await addPost('sent');
    await running.read();
    await running.send();
    await addPost('not sent');
    await store.db.destroy();
    running.end();

    place = { ...place, db: store.openAnother() };
    running = program();
    await addPost('after', place.db);
    await begin();
    expect(await restored()).toEqual(['sent', 'not sent', 'after']);
    expect(await backups.list()).toHaveLength(1);
  });

  it('begin with a backup again if something was missed', async () => {
    await begin();
    running.end();
    await addPost('missed');
    await store.db.destroy();
    place = { ...place, db: store.openAnother() };
    await addPost('after', place.db);
    running = program();
    await begin();

    expect(await restored()).toEqual(['missed', 'after']);
    expect(new Set((await listSegments(backups.destination)).map(({ stream }) => stream)).size).toBe(1);
    expect(await backups.list()).toHaveLength(2);
  });

  it('can be restored wherever a program was killed, and lose nothing that was sent', async () => {
    for (let step = 0; step < 6; step += 1) {
      await rm(join(folder, 'backups'), { recursive: true, force: true });
      let writes = 0;
      const write = backups.destination.write.bind(backups.destination);
      const dying = vi.spyOn(backups.destination, 'write').mockImplementation(async (name, content) => {
        if (writes++ >= step) throw new Error('killed');
        await write(name, content);
      });
      const sent = await writeUntilKilled(`round ${step}`);
      dying.mockRestore();
      running.end();
      running = program();
      await begin();
      const all = await slugsOf(store.db);
      expect(await restored()).toEqual(all);
      expect(all).toEqual(expect.arrayContaining([...sent]));
      running.end();
      running = program();
    }
  });

  it('are never restored with a gap', async () => {
    await begin();
    for (const slug of ['a', 'b', 'c']) {
      await addPost(slug);
      await running.read();
      await running.send();
    }
    const segments = await listSegments(backups.destination);
    await backups.destination.remove(segments.at(-2)?.name ?? '');

    await expect(restored()).rejects.toThrow(/segment \d+ of .* is missing/);
  });

  it('are restored from a later backup of the same sequence too, and what none needs is removed', async () => {
    const clock = stoppedClock();
    await begin();
    for (let day = 0; day < 5; day += 1) {
      clock((day * dayMs) / 1000 + 60);
      await addPost(`day ${day}`);
      await running.read();
      await running.send();
      await running.backUpIfDue();
    }
    await addPost('last');
    await running.read();
    await running.send();
    const before = (await listSegments(backups.destination)).length;
    await backups.prune(new Date(Date.now() + 100 * dayMs), { keep: 2, keepMs: dayMs });

    expect((await listSegments(backups.destination)).length).toBeLessThan(before);
    expect(await backups.list()).toHaveLength(2);
    expect(await restored()).toEqual(['day 0', 'day 1', 'day 2', 'day 3', 'day 4', 'last']);
  });

  it('are made by one of the programs on a store', async () => {
    await begin();
    const rival = new ContinuousBackup({ ...place, db: store.openAnother() }, backups, schedule);
    open.push(rival);
    expect(await rival.read()).toBe(false);
    running.end();
    expect(await rival.read()).toBe(true);
  });

  it('are encrypted if backups are', async () => {
    const identity = await generateX25519Identity();
    const recipients = [await identityToRecipient(identity)];
    backups = await openBackups({ to: join(folder, 'backups'), recipients });
    running = program();
    await begin();
    await addPost('secret');
    await running.read();
    await running.send();

    const names = await backups.destination.list('');
    expect(names.filter((name) => !name.endsWith('.age'))).toEqual([]);
    expect(await restored(undefined, [identity])).toEqual(['secret']);
    await expect(restored()).rejects.toThrow('the backup is encrypted');
  });

  const schedule = { everyMs: dayMs, keep: 3, keepMs: 30 * dayMs };
  const start = Date.UTC(2026, 10, 23, 10);

  function program(): ContinuousBackup {
    const backup = new ContinuousBackup(place, backups, schedule);
    open.push(backup);
    return backup;
  }

  /** @returns sets it to a second after 10:00 */
  function stoppedClock(): (second: number) => void {
    vi.useFakeTimers({ now: start, toFake: ['Date'] });
    return (second) => void vi.setSystemTime(start + second * 1000);
  }

  async function begin(): Promise<void> {
    await running.read();
    await running.send();
    await running.backUpIfDue();
  }

  /** @returns the slugs whose segment was written before the first write that failed */
  async function writeUntilKilled(name: string): Promise<readonly string[]> {
    const sent: string[] = [];
    try {
      await begin();
      for (let at = 0; at < 4; at += 1) {
        const slug = `${name}, ${at}`;
        await addPost(slug);
        await running.read();
        await running.send();
        sent.push(slug);
      }
    } catch (error) {
      if (!String(error).includes('killed')) throw error;
    }
    return sent;
  }

  const addPost = (slug: string, db = place.db) => db.insertInto('sampleArticle').values({ slug }).execute();

  /** The posts of a new store that is restored. */
  async function restored(to?: Date, identities: readonly string[] = []): Promise<string[]> {
    restores += 1;
    const target = join(folder, `restored-${restores}`);
    const db = openDatabase(`sqlite:${join(target, 'a.db')}`);
    const keys = { 'jwt-secret': join(target, 'jwt-secret') };
    try {
      await restoreToTime({ db, uploads: join(target, 'uploads'), keys }, backups, identities, to);
      return await slugsOf(db);
    } finally {
      await db.destroy();
    }
  }

  async function slugsOf(db: BackupPlace['db']): Promise<string[]> {
    const rows = await db.selectFrom('sampleArticle').select('slug').orderBy('id').execute();
    return rows.map(({ slug }) => slug);
  }
});
