import { type BootedProgram, bootProgram, type BootPlan } from '@app/service/testing';
import { program } from '../src/admin.program';
import type { adminSettings } from '../src/admin.settings';

/** Starts `admin` for one test file. */
export function bootAdmin(
  plan: Pick<BootPlan<typeof adminSettings>, 'env' | 'controllers' | 'routes' | 'logs'> = {},
): BootedProgram {
  return bootProgram({
    ...program,
    ...plan,
  });
}
