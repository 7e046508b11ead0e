import pretty from 'pino-pretty';
import { forTerminal } from '../libs/service/src/logs/control-characters.ts';
import { portsOf } from './ports.mts';
import { runTogether } from './together.mts';
import { listApplications, root, runNest, runScript } from './workspace.mts';

/** Builds every application and runs them together, each on its own port. Flags go to `nest build`. */
await runScript(async () => {
  const names = listApplications();
  const ports = portsOf(names, process.env);
  runNest(['build', ...names, ...process.argv.slice(2)]);
  const programs = names.map((name) => ({
    name,
    args: [`dist/apps/${name}/main.js`],
    env: { ...process.env, PORT: ports.get(name) },
  }));
  process.exitCode = await runTogether(programs, { cwd: root, read: readerOf(process.stdout.isTTY) });
});

/** Returns the line formatter. A terminal shows the JSON lines as text. */
function readerOf(isTerminal: boolean): (line: string) => string {
  if (!isTerminal) return (line) => line;
  const read = pretty.prettyFactory({ colorize: true, ignore: 'pid,name', singleLine: true });
  return (line) => read(forTerminal(line)).trimEnd();
}
