import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useMigratedDatabase } from '@app/persistence/testing';
import { librarySchemas } from '@app/service';
import { Logger } from '@nestjs/common';
import { backUpIfDue } from './back-up-if-due';
import { type Backups, openBackups } from './backups';
import { backupChannels } from './channels';
import type { BackupPlace } from './place';
import { ScheduledBackups } from './scheduled-backups.service';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const schedule = { everyMs: DAY, keep: 2, keepMs: 7 * DAY };

describe('backups by a schedule', () => {
  const store = useMigratedDatabase(librarySchemas);
  let folder: string;
  let backups: Backups;
  let place: BackupPlace;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-schedule-'));
    backups = await openBackups(target());
    place = { db: store.db, uploads: join(folder, 'uploads'), keys: {} };
  });
  afterEach(async () => {
    vi.useRealTimers();
    await rm(folder, { recursive: true });
  });

  const target = () => ({ to: join(folder, 'backups'), recipients: [] });
  const names = async () => (await backups.list()).map(({ name }) => name);
  const at = (time: string) => new Date(`2026-11-23T${time}Z`);

  /** Runs `backUpIfDue` with a clock that stands still, also for the names. */
  async function run(now: Date) {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    return backUpIfDue(place, backups, schedule, { now });
  }

  it('are made when the newest one is old enough, also one that another program made', async () => {
    expect((await run(at('10:00:00')))?.at).toEqual(at('10:00:00'));
    expect(await run(new Date(at('10:00:00').getTime() + 23 * HOUR))).toBeUndefined();
    expect(await run(new Date(at('10:00:00').getTime() + DAY))).toBeDefined();
    expect(await names()).toEqual([
      'backup-2026-11-24T10-00-00.000Z.tar.gz',
      'backup-2026-11-23T10-00-00.000Z.tar.gz',
    ]);
  });

  it('are kept while they are among the newest, or young', async () => {
    for (let day = 0; day < 12; day += 1) await run(new Date(at('10:00:00').getTime() + day * DAY));
    const days = (await backups.list()).map(
      ({ at: madeAt }) => madeAt.getUTCDate() + (madeAt.getUTCMonth() - 10) * 30,
    );
    expect(days).toEqual([34, 33, 32, 31, 30, 29, 28, 27]);

    const later = new Date(at('10:00:00').getTime() + 1000 * DAY);
    expect(await backups.prune(later, schedule)).toHaveLength(6);
    expect(await names()).toHaveLength(2);
    await backups.prune(later, { keep: 0, keepMs: 0 });
    expect(await names()).toHaveLength(1);
  });

  it('are kept for ever if their age has no limit', async () => {
    for (let day = 0; day < 4; day += 1) await run(new Date(at('10:00:00').getTime() + day * DAY));
    await backups.prune(new Date(at('10:00:00').getTime() + 4000 * DAY), { keep: 1, keepMs: undefined });
    expect(await names()).toHaveLength(4);
  });

  it('leave other files alone, and do not count what is not complete', async () => {
    await mkdir(target().to);
    for (const name of ['backup-notes.txt', 'backup-2026-11-23T09-00-00.000Z.tar.gz.x.part'])
      await writeFile(join(target().to, name), 'content');
    expect(await run(at('10:00:00'))).toBeDefined();
    await backups.prune(new Date(at('10:00:00').getTime() + 1000 * DAY), { keep: 1, keepMs: 0 });
    expect(await readdir(target().to)).toHaveLength(3);
  });

  it('that fail remove nothing', async () => {
    for (let day = 0; day < 3; day += 1) await run(new Date(at('10:00:00').getTime() + day * DAY));
    vi.spyOn(backups.destination, 'write').mockRejectedValue(new Error('no space'));
    const later = new Date(at('10:00:00').getTime() + 1000 * DAY);
    await expect(run(later)).rejects.toThrow('no space');
    expect(await names()).toHaveLength(3);
  });

  it('are made by one of the programs that check at the same time', async () => {
    const programs = Array.from({ length: 4 }, () => program());
    const published: unknown[] = [];
    const listener = (message: unknown) => published.push(message);
    backupChannels.made.subscribe(listener);
    const logged = vi.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
    await Promise.all(programs.map((service) => service.check()));
    await Promise.all(programs.map((service) => service.check()));
    backupChannels.made.unsubscribe(listener);
    expect(await names()).toHaveLength(1);
    expect(published).toHaveLength(1);
    expect(logged.mock.calls).toEqual([
      [expect.objectContaining({ msg: 'backup completed', at: published[0] })],
    ]);
    logged.mockRestore();
  });

  it('are logged when they fail, with the place and the reason', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const failed: unknown[] = [];
    const listener = (message: unknown) => failed.push(message);
    backupChannels.failed.subscribe(listener);
    await writeFile(target().to, 'not a folder');
    await program().check();
    backupChannels.failed.unsubscribe(listener);
    expect(logged.mock.calls).toEqual([[{ msg: 'backup failed', to: target().to, err: expect.any(Error) }]]);
    expect(failed).toEqual([expect.stringMatching(/ENOTDIR|EEXIST/)]);
    logged.mockRestore();
  });

  it('are aborted by a shutdown', async () => {
    const service = program();
    const running = service.check();
    await service.onModuleDestroy();
    await running;
    expect(await names()).toEqual([]);
  });

  function program(): ScheduledBackups {
    const db = store.openAnother();
    return new ScheduledBackups({ ...place, db }, target(), schedule);
  }
});
