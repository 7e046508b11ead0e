import './load-sources.mts';
import { readProgram } from './programs.mts';
import { listApplications } from './workspace.mts';

/** Runs a command of every program in the workspace, as `npm run NAME` does; each has its own `--help`. */
const { librarySchemas, runCommand } = await import('@app/service');
const { DatabaseSchema } = await import('@app/persistence');
const args = process.argv.slice(2);
await runCommand(args, args[0] === 'migrate' ? await histories() : undefined);

/** Of the tables of all applications, which may share a database. */
async function histories() {
  const programs = await Promise.all(listApplications().map((name) => readProgram(name)));
  const schemas = programs.flatMap(({ name, tables }) => (tables ? [new DatabaseSchema(name, tables)] : []));
  return [...librarySchemas, ...schemas];
}
