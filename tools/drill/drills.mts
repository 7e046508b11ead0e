import type { Drill } from './drill.mts';
import { backupRefused } from './drills/backup-refused.mts';
import { damagedBackup } from './drills/damaged-backup.mts';
import { diskFull } from './drills/disk-full.mts';
import { keyRotation } from './drills/key-rotation.mts';
import { diskLost } from './drills/disk-lost.mts';
import { kill9 } from './drills/kill-9.mts';
import { longReader } from './drills/long-reader.mts';
import { lostAdministrator } from './drills/lost-administrator.mts';
import { mailRefused } from './drills/mail-refused.mts';
import { requestFlood } from './drills/request-flood.mts';
import { restore } from './drills/restore.mts';
import { rollingRestart, rollingRestartNginx, rollingRestartStarved } from './drills/rolling-restart.mts';
import { schemaDrift } from './drills/schema-drift.mts';
import { secretRotation } from './drills/secret-rotation.mts';
import { signInFlood } from './drills/sign-in-flood.mts';
import { slowDisk } from './drills/slow-disk.mts';
import { starved } from './drills/starved.mts';
import { storeDeleted } from './drills/store-deleted.mts';
import { storeLocked } from './drills/store-locked.mts';
import { storeRestarted } from './drills/store-restarted.mts';
import { storeSilent } from './drills/store-silent.mts';
import { twoPrograms } from './drills/two-programs.mts';
import { unhandledError } from './drills/unhandled-error.mts';
import { workerStopped } from './drills/worker-stopped.mts';
import { wrongSettings } from './drills/wrong-settings.mts';

/** All drills, in the order in which they run. */
export const drills: readonly Drill[] = [
  kill9,
  storeRestarted,
  storeSilent,
  storeLocked,
  storeDeleted,
  longReader,
  diskFull,
  slowDisk,
  starved,
  workerStopped,
  twoPrograms,
  unhandledError,
  schemaDrift,
  wrongSettings,
  rollingRestart,
  rollingRestartStarved,
  rollingRestartNginx,
  secretRotation,
  keyRotation,
  restore,
  damagedBackup,
  diskLost,
  backupRefused,
  mailRefused,
  lostAdministrator,
  signInFlood,
  requestFlood,
];
