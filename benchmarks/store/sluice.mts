/** Runs `api` as in production, on the store that `DATABASE_URL` names. */
import '../http/serve.mts';
import { runProgram } from '@app/service';
import { program } from '../../apps/api/src/api.program.ts';

await runProgram(program);
