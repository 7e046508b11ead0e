import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramPlan } from '@app/service';
import { root } from './workspace.mts';

/** A program that was made, and of which nothing was started. */
export type MadeProgram = Awaited<ReturnType<typeof import('@app/service').makeProgram>>;

type Plan = Pick<
  ProgramPlan<typeof import('@app/service').serviceSettings>,
  'name' | 'declarations' | 'module'
>;

/**
 * Makes one of the workspace's programs, for as long as it takes to look at it: on a store of its own that is gone
 * afterwards, with none of the settings of whoever runs this, and without starting anything of it.
 *
 * @param application its name in `nest-cli.json`
 */
export async function withProgram<Seen>(
  application: string,
  look: (app: MadeProgram) => Seen | Promise<Seen>,
): Promise<Seen> {
  const { makeProgram, readSettings } = await import('@app/service');
  const program = await readProgram(application);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-contract-'));
  try {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'contract.db')}`, LOG_LEVEL: 'silent' };
    const settings = readSettings(program.declarations, env);
    const app = await makeProgram({ name: program.name, module: program.module(settings), settings });
    try {
      return await look(app);
    } finally {
      await app.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads what a program is: its settings, and its module. */
export async function readProgram(application: string): Promise<Plan> {
  const file = join(root, 'apps', application, 'src', `${application}.program.ts`);
  const { program }: { program: Plan } = await import(file);
  return program;
}
