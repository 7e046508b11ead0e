import './load-sources.mts';
import { readProgram } from './programs.mts';
import { listApplications } from './workspace.mts';

/** Runs a command of every program in the workspace, as `npm run NAME` does; each has its own `--help`. */
const { librarySchemas, runCommand } = await import('@app/service');
const { DatabaseSchema } = await import('@app/persistence');
const args = process.argv.slice(2);
const programs = await Promise.all(listApplications().map((name) => readProgram(name)));
await runCommand(args, {
  histories: histories(),
  declarations: Object.assign({}, ...programs.map(({ declarations }) => declarations)),
});

/** Of the tables of all applications, which may share a database. */
function histories() {
  const schemas = programs.flatMap(({ name, tables }) => (tables ? [new DatabaseSchema(name, tables)] : []));
  return [...librarySchemas, ...schemas];
}
