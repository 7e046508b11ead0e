import './load-sources.mts';
import { readProgram } from './programs.mts';
import { listApplications } from './workspace.mts';

/** Runs a command of every program in the workspace, as `npm run NAME` does. Each command has its own `--help`. */
const { librarySchemas, runCommand, schemasOf } = await import('@app/service');
const args = process.argv.slice(2);
const programs = await Promise.all(listApplications().map((name) => readProgram(name)));
await runCommand(args, {
  histories: histories(),
  declarations: Object.assign({}, ...programs.map(({ declarations }) => declarations)),
  factors: programs.flatMap(({ factors = [] }) => factors),
  accountHooks: Object.assign({}, ...programs.map(({ accountHooks }) => accountHooks)),
  commands: commandsOf(),
});

/** Returns the commands of all applications. A plugin command that several applications list appears once. */
function commandsOf() {
  const all = programs.flatMap(({ commands = [] }) => commands);
  return [...new Map(all.map((command) => [command.name, command])).values()];
}

/** Returns the histories of all applications and their plugins, which may share a database. */
function histories() {
  const all = [...librarySchemas, ...programs.flatMap((program) => schemasOf(program).all)];
  return [...new Map(all.map((schema) => [schema.owner, schema])).values()];
}
