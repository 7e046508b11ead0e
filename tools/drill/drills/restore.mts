import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, tally } from '../callers/load.mts';
import { lacksPgDump, runCommand } from '../programs/commands.mts';

const connections = 10;
const beforeMs = 1500;

export const restore: Drill = {
  name: 'restore',
  action: 'backs up by `npm run backup` while clients write, goes on, and restores by `npm run restore`',
  expectation:
    'no request is refused by the backup; everything that was acknowledged before it began is restored, and the database is not damaged',
  stores: ['sqlite', 'postgres'],
  fires: [],
  lacks: (store) => (store === 'postgres' ? lacksPgDump() : undefined),
  run: async ({ start, url, subject, store, folder, either }) => {
    const program = await start();
    const backup = join(folder, 'backup');
    const settings = { UPLOAD_DIR: join(folder, 'data/uploads') };
    const load = new Load(url, await signIn(url), subject, { postEvery: 2 });
    const stopLoad = load.start(connections);
    await pause(either(3 * beforeMs, beforeMs));
    const before = [...load.acknowledged];
    const startedAt = performance.now();
    await runCommand('backup', [backup], store.url, settings);
    const backupMs = Math.round(performance.now() - startedAt);
    await pause(beforeMs);
    await stopLoad();
    await program.stop();
    await runCommand('restore', [backup], store.url, settings);
    await runCommand('check-store', [], store.url);
    await start();
    const lost = await missing(url, await signIn(url), before);
    return finding(
      {
        'acknowledged before the backup': before.length,
        'of these not restored': lost.length,
        'acknowledged in all': load.acknowledged.length,
        'refused meanwhile': tally(load.refused),
        'backup, ms': backupMs,
      },
      {
        'everything acknowledged before is restored': before.length > 0 && lost.length === 0,
        'no request is refused': load.refused.length === 0,
      },
    );
  },
};
