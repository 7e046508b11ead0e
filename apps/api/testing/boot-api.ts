import { type BootedProgram, bootProgram, type BootPlan } from '@app/service/testing';
import { program } from '../src/api.program';

/** Starts `api` for a test file. */
export function bootApi(
  plan: Pick<
    BootPlan<typeof program.declarations>,
    'env' | 'configure' | 'controllers' | 'errors' | 'prefix' | 'routes' | 'logs'
  > = {},
): BootedProgram {
  return bootProgram({
    ...program,
    ...plan,
  });
}
