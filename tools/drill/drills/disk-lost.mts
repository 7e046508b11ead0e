import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { runCommand } from '../programs/commands.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, tally } from '../callers/load.mts';

const connections = 10;
const mostLostMs = 10_000;

export const diskLost: Drill = {
  name: 'disk-lost',
  action:
    'removes the store and the uploaded files under load while BACKUP_CONTINUOUS is on, kills the program, and restores elsewhere',
  expectation:
    'what was acknowledged more than ten seconds before is restored, the database is not damaged, and no request is refused by copying',
  stores: ['sqlite'],
  fires: [],
  run: async ({ start, url, subject, folder, either }) => {
    const backup = { BACKUP_TO: join(folder, 'backups'), BACKUP_CONTINUOUS: 'on' };
    const program = await start({ env: backup });
    const load = new Load(url, await signIn(url), subject, { postEvery: 2 });
    const counts: { at: number; acknowledged: number }[] = [];
    const counting = setInterval(
      () => counts.push({ at: performance.now(), acknowledged: load.acknowledged.length }),
      50,
    );
    const stopLoad = load.start(connections);
    await pause(either(45_000, 15_000));
    const refused = tally(load.refused);
    const lostAt = performance.now();
    for (const name of ['drill.db', 'drill.db-wal', 'drill.db-shm', 'data'])
      rmSync(join(folder, name), { recursive: true, force: true });
    await program.stop('SIGKILL');
    clearInterval(counting);
    await stopLoad();
    const elsewhere = join(folder, 'restored');
    const settings = { ...backup, UPLOAD_DIR: join(elsewhere, 'uploads') };
    const target = `sqlite:${join(elsewhere, 'drill.db')}`;
    const startedAt = performance.now();
    await runCommand('restore', ['--latest'], target, settings);
    const restoreMs = Math.round(performance.now() - startedAt);
    await runCommand('check-store', [], target, settings);
    await start({ env: { ...settings, DATABASE_URL: target } });
    const lost = new Set(await missing(url, await signIn(url), load.acknowledged));
    const first = load.acknowledged.findIndex((slug) => lost.has(slug));
    // The item was acknowledged between two counts, so the earlier count is the earliest time.
    const before = counts.findLast(({ acknowledged }) => first !== -1 && acknowledged <= first);
    const lostMs = first === -1 ? 0 : Math.round(lostAt - (before?.at ?? 0));
    return finding(
      {
        acknowledged: load.acknowledged.length,
        'acknowledged and lost': lost.size,
        'lost, ms before the disk was': lostMs,
        'refused before': refused,
        'restore, ms': restoreMs,
      },
      {
        'what was acknowledged ten seconds before is restored':
          load.acknowledged.length > 0 && lostMs < mostLostMs,
        'no request is refused': refused === 'none',
      },
    );
  },
};
