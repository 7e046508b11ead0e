import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspace.mts';

/** A program that was created but not initialised. */
export type MadeProgram = Awaited<ReturnType<typeof import('@app/service').makeProgram>>;

type Plan = Pick<
  ReturnType<typeof import('@app/service').defineProgram>,
  | 'name'
  | 'accountHooks'
  | 'commands'
  | 'configure'
  | 'declarations'
  | 'errors'
  | 'factors'
  | 'module'
  | 'moduleRoutes'
  | 'prefix'
  | 'reference'
  | 'healthChecks'
  | 'schemas'
  | 'tables'
  | 'unknownMembers'
>;

/**
 * Creates a workspace program, calls back, and closes it. The program has a temporary store, ignores the environment's settings
 * and is not initialised.
 *
 * @param application the program's name in `nest-cli.json`
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
    const { name, tables, schemas, healthChecks, module, errors, configure, prefix } = program;
    const { reference, unknownMembers } = program;
    const app = await makeProgram({
      name,
      tables,
      schemas,
      healthChecks,
      module: module(settings),
      settings,
      errors,
      prefix,
      reference,
      unknownMembers,
      configure: (created) => configure?.(created, settings),
    });
    try {
      return await look(app);
    } finally {
      await app.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports a program's definition. */
export async function readProgram(application: string): Promise<Plan> {
  const file = join(root, 'apps', application, 'src', `${application}.program.ts`);
  const { program }: { program: Plan } = await import(file);
  return program;
}
