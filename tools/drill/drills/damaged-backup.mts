import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { Load } from '../callers/load.mts';
import { type Drill, finding } from '../drill.mts';
import { runCommand } from '../programs/commands.mts';

export const damagedBackup: Drill = {
  name: 'damaged-backup',
  action: 'changes a byte of a backup, and restores it over a store with newer writes',
  expectation: 'the restore is refused, and the store has every acknowledged write',
  stores: ['sqlite'],
  fires: [],
  run: async ({ start, url, subject, store, folder }) => {
    const program = await start();
    const load = new Load(url, await signIn(url), subject, { postEvery: 1 });
    const stopLoad = load.start(1);
    await pause(500);
    const backup = join(folder, 'backup');
    const settings = { UPLOAD_DIR: join(folder, 'data/uploads') };
    await runCommand('backup', [backup], store.url, settings);
    await pause(500);
    await stopLoad();
    await program.stop();
    const bytes = readFileSync(backup);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(backup, bytes);
    const refusal = await runCommand('restore', [backup], store.url, settings).then(
      () => 'it is restored',
      (error: Error) => error.message.trim().split('\n').at(-1) ?? '',
    );
    await start();
    const lost = await missing(url, await signIn(url), load.acknowledged);
    return finding(
      {
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        'the restore': refusal,
      },
      {
        'the restore is refused': refusal !== 'it is restored',
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
      },
    );
  },
};
