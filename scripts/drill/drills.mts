import type { Drill } from './drill.mts';
import { clockStep } from './drills/clock-step.mts';
import { diskFull } from './drills/disk-full.mts';
import { keyTurn } from './drills/key-turn.mts';
import { kill9 } from './drills/kill-9.mts';
import { lostAdministrator } from './drills/lost-administrator.mts';
import { requestFlood } from './drills/request-flood.mts';
import { restore } from './drills/restore.mts';
import { rollingRestart } from './drills/rolling-restart.mts';
import { secretTurn } from './drills/secret-turn.mts';
import { signInFlood } from './drills/sign-in-flood.mts';
import { slowDisk } from './drills/slow-disk.mts';
import { starved } from './drills/starved.mts';
import { storeLocked } from './drills/store-locked.mts';
import { storeRestarted } from './drills/store-restarted.mts';
import { storeSilent } from './drills/store-silent.mts';
import { unhandledError } from './drills/unhandled-error.mts';

/** All drills, in the order in which they run. */
export const drills: readonly Drill[] = [
  kill9,
  storeRestarted,
  storeSilent,
  storeLocked,
  diskFull,
  slowDisk,
  starved,
  unhandledError,
  rollingRestart,
  secretTurn,
  keyTurn,
  restore,
  lostAdministrator,
  clockStep,
  signInFlood,
  requestFlood,
];
