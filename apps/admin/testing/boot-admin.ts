import { type BootedProgram, bootProgram, type BootPlan } from '@app/service/testing';
import { program } from '../src/admin.program';

/** Starts `admin` for a test file. */
export function bootAdmin(
  plan: Pick<BootPlan<typeof program.declarations>, 'env' | 'controllers' | 'routes' | 'logs'> = {},
): BootedProgram {
  return bootProgram({
    ...program,
    ...plan,
  });
}
