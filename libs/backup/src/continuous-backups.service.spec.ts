import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useMigratedDatabase } from '@app/persistence/testing';
import { Logger } from '@nestjs/common';
import { ContinuousBackup } from './continuous-backup';
import { openBackups } from './backups';
import { listSegments } from './segments';
import { ContinuousBackups } from './continuous-backups.service';

describe('a program with continuous backups', () => {
  const store = useMigratedDatabase();
  let folder: string;
  const lines: unknown[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-continuous-'));
    lines.length = 0;
    for (const level of ['log', 'error'] as const)
      vi.spyOn(Logger.prototype, level).mockImplementation((line: object) => void lines.push(line));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await store.db.destroy();
    await rm(folder, { recursive: true });
  });

  const to = () => join(folder, 'backups');
  const program = () =>
    new ContinuousBackups(
      { db: store.db, uploads: join(folder, 'uploads'), keys: {} },
      { to: to(), recipients: [] },
      { everyMs: 86_400_000, keep: 1, keepMs: undefined },
    );

  it('makes a backup, sends changes, and sends the last ones when it stops', async () => {
    const service = program();
    service.onModuleInit();
    service.onApplicationBootstrap();
    await vi.waitFor(() => expect(lines).toEqual([expect.objectContaining({ msg: 'backup completed' })]));
    const { destination } = await openBackups({ to: to(), recipients: [] });
    const before = (await listSegments(destination)).length;
    await store.db.insertInto('sampleArticle').values({ slug: 'last' }).execute();
    await service.beforeApplicationShutdown();

    expect(await listSegments(destination)).toHaveLength(before + 1);
  });

  it('logs once that changes cannot be sent, and once that they are again', async () => {
    const sending = vi.spyOn(ContinuousBackup.prototype, 'send').mockRejectedValue(new Error('no space'));
    vi.spyOn(ContinuousBackup.prototype, 'backUpIfDue').mockResolvedValue(undefined);
    const service = program();
    service.onModuleInit();
    service.onApplicationBootstrap();
    const failed = { msg: 'backup failed', step: 'send', to: to(), err: expect.any(Error) };
    await vi.waitFor(() => expect(lines).toEqual([failed]));
    for (const calls of [2, 3]) await vi.waitFor(() => passUntil(() => sending.mock.calls.length >= calls));
    expect(lines).toEqual([failed]);
    sending.mockRestore();
    await vi.waitFor(() => passUntil(() => lines.length === 2));
    expect(lines).toEqual([failed, { msg: 'backup resumed', to: to() }]);
    await service.beforeApplicationShutdown();
  });

  it('goes on serving while the destination cannot be read', async () => {
    await writeFile(to(), 'not a folder');
    const service = program();
    service.onModuleInit();
    service.onApplicationBootstrap();
    await vi.waitFor(() =>
      expect(lines).toEqual([expect.objectContaining({ msg: 'backup failed', step: 'read' })]),
    );
    await store.db.insertInto('sampleArticle').values({ slug: 'written' }).execute();
    await service.beforeApplicationShutdown();
  });

  /** Lets a second pass. @throws unless it holds then */
  async function passUntil(holds: () => boolean): Promise<void> {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(holds()).toBe(true);
  }
});
