import './load-sources.mts';
import { readProgram } from './programs.mts';
import { listApplications } from './workspace.mts';

/** Runs a command of every program in the workspace, as `npm run NAME` does; each has its own `--help`. */
const { librarySchemas, runCommand, schemasOf } = await import('@app/service');
const args = process.argv.slice(2);
const programs = await Promise.all(listApplications().map((name) => readProgram(name)));
await runCommand(args, {
  histories: histories(),
  declarations: Object.assign({}, ...programs.map(({ declarations }) => declarations)),
  ways: programs.flatMap(({ ways = [] }) => ways),
  commands: commandsOf(),
});

/** The commands of all applications: a command of a plugin that several list is the same. */
function commandsOf() {
  const all = programs.flatMap(({ commands = [] }) => commands);
  return [...new Map(all.map((command) => [command.name, command])).values()];
}

/** Of the tables of all applications, which may share a database. */
function histories() {
  const own = programs.flatMap((program) =>
    schemasOf(program).all.filter(({ owner }) => owner === program.name),
  );
  return [...librarySchemas, ...own];
}
