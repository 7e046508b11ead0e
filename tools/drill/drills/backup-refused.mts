import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, tally } from '../callers/load.mts';

const connections = 4;
const pollMs = 100;
const deadlineMs = 60_000;

export const backupRefused: Drill = {
  name: 'backup-refused',
  action: 'names a disk in BACKUP_TO that is not mounted while BACKUP_CONTINUOUS is on, and mounts it',
  expectation: 'requests are answered meanwhile, and changes are copied once the destination accepts them',
  stores: ['sqlite'],
  fires: ['SluiceBackupOld', 'SluiceBackupLagging', 'SluiceBackupFailing'],
  run: async ({ start, url, subject, folder, either }) => {
    const [to, disk] = [join(folder, 'backups'), join(folder, 'backup-disk')];
    symlinkSync(disk, to);
    const program = await start({ env: { BACKUP_TO: to, BACKUP_CONTINUOUS: 'on' } });
    const load = new Load(url, await signIn(url), subject);
    const stopLoad = load.start(connections);
    await pause(either(30_000, 25_000));
    mkdirSync(disk);
    const acceptedAt = performance.now();
    const isResumed = () => program.log().includes('"msg":"backup resumed"');
    while (!isResumed() && performance.now() - acceptedAt < deadlineMs) await pause(pollMs);
    const resumedMs = Math.round(performance.now() - acceptedAt);
    await stopLoad();
    return finding(
      {
        'acknowledged writes': load.acknowledged.length,
        refused: tally(load.refused),
        'copied again after, ms': resumedMs,
      },
      {
        'requests are answered': load.acknowledged.length > 0 && load.refused.length === 0,
        'changes are copied again': isResumed(),
      },
    );
  },
};
