import { fork } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { browserFiles } from './browser-files';
import type { ClassesMessage } from './classes-process';
import type { TypeScript } from './modules';
import { printClasses } from './print-classes';
import { namesReplaced, readSources, whyNotUndoable } from './sources';
import { type Place, switchFile } from './switch-file';

const usage = `npx @sluice/engine switch [FOLDER] [options]

Changes the imports of a program from NestJS, class-validator and class-transformer to @sluice/engine, where they
import what is compiled. Without --write it prints the changes as a diff, and changes nothing.

  FOLDER            the folder of the program, with its package.json; default: this folder
  --write           change the files
  --force           change them although git could not undo it
  --classes FOLDER  where the compiled JavaScript is, relative to the program; default: dist
  --no-classes      do not load the classes of the program
  --help            print this

Files that a browser bundle imports are not changed. After the diff come the places that are not changed, with the
reason, and for each class of the program what is
compiled, what is not and why, and the time before and after.
`;

/** The parsed command line. */
interface Wanted {
  readonly folder: string;
  readonly write: boolean;
  readonly force: boolean;
  /** The classes' folder; `undefined` if they are not to be loaded. */
  readonly classes: string | undefined;
}

/** A use of the command that cannot work. The message says how to correct it. */
class BadUse extends Error {}

/**
 * Runs the command. If the use cannot work, prints a sentence that says how to correct it and sets the exit code to 1.
 *
 * @param args the arguments after the program name
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  endWithReader();
  try {
    const wanted = readArguments(args);
    if (wanted) await switchProgram(wanted);
    else process.stdout.write(usage);
  } catch (error) {
    if (!(error instanceof BadUse)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Ends the command when nobody reads its output any more, as in `switch | head`. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

function readArguments(args: readonly string[]): Wanted | undefined {
  const { values, positionals } = parsed(args);
  const [command, folder = '.', ...more] = positionals;
  if (values.help || command === undefined) return undefined;
  if (command !== 'switch' || more.length > 0)
    throw new BadUse(`The command is "switch [FOLDER]", and not "${positionals.join(' ')}": see --help.`);
  const { write = false, force = false, 'no-classes': skip, classes = 'dist' } = values;
  return { folder: resolve(folder), write, force, classes: skip ? undefined : classes };
}

function parsed(args: readonly string[]) {
  const options = {
    write: { type: 'boolean' },
    force: { type: 'boolean' },
    classes: { type: 'string' },
    'no-classes': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new BadUse(`${error instanceof Error ? error.message : String(error)}: see --help.`, {
      cause: error,
    });
  }
}

async function switchProgram({ folder, write, force, classes }: Wanted): Promise<void> {
  if (!existsSync(join(folder, 'package.json')))
    throw new BadUse(`${folder} has no package.json: name the folder of the program.`);
  const files = readProgram(folder);
  const changed = files.filter(({ source, text }) => source !== text);
  for (const { path, source, text } of changed) process.stdout.write(`${patchOf(path, source, text)}\n`);
  printPlaces(files);
  const engine = installedEngine(folder);
  if (write && changed.length > 0) writeChanges(folder, changed, engine, force);
  process.stdout.write(`${summary(changed.length, write, engine)}\n\n`);
  if (classes !== undefined) await printProgramClasses(folder, classes, engine);
}

/** A source and the proposed changes. */
interface ProgramFile {
  readonly path: string;
  readonly source: string;
  readonly text: string;
  readonly places: readonly Place[];
}

function readProgram(folder: string): ProgramFile[] {
  const ts = loadTypeScript(folder);
  const sources = readSources(folder);
  const bundles = browserFiles(ts, folder, sources);
  return sources.filter(namesReplaced).map(({ path, text: source }) => {
    const { text, places } = switchFile(ts, source, path);
    const bundle = bundles.get(path);
    if (bundle === undefined || text === source) return { path, source, text, places };
    const why = `a browser bundle imports this file: ${bundle === '.' ? 'this program' : bundle}`;
    return { path, source, text: source, places: [{ line: 1, why }] };
  });
}

/** Loads the program's compiler, because this package has no dependency. TypeScript 7 lacks these functions. */
function loadTypeScript(folder: string): TypeScript {
  const load = createRequire(join(folder, 'package.json'));
  try {
    const ts: TypeScript = load(load.resolve('typescript', { paths: [folder, __dirname] }));
    if ('createSourceFile' in ts) return ts;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
  }
  throw new BadUse('The command reads sources by TypeScript 5 or 6: npm install --no-save typescript@6');
}

/** Returns a patch in the format that `git apply` and `patch` read. */
function patchOf(path: string, before: string, after: string): string {
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

function printPlaces(files: readonly ProgramFile[]): void {
  const lines = files.flatMap(({ path, places }) =>
    places.map(({ line, why }) => `  ${path}:${line} ${why}`),
  );
  if (lines.length > 0) process.stdout.write(`Not changed; look at it yourself:\n${lines.join('\n')}\n\n`);
}

function writeChanges(
  folder: string,
  files: readonly ProgramFile[],
  engine: string | undefined,
  force: boolean,
): void {
  if (engine === undefined)
    throw new BadUse('Nothing was changed: @sluice/engine is not installed: install it first.');
  const reason = force ? undefined : whyNotUndoable(folder);
  if (reason !== undefined) throw new BadUse(`Nothing was changed: ${reason}. Commit first, or add --force.`);
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
}

function summary(count: number, isWritten: boolean, engine: string | undefined): string {
  if (count === 0) return 'There is nothing to change.';
  const files = count === 1 ? '1 file' : `${count} files`;
  if (isWritten) return `${files} changed. Build the program and run its tests.`;
  const install = engine === undefined ? 'install @sluice/engine, then ' : '';
  return `${files} would be changed: ${install}npx @sluice/engine switch --write`;
}

/** Returns the engine's folder, in the program's own dependencies or above it. */
function installedEngine(folder: string): string | undefined {
  try {
    return dirname(createRequire(join(folder, 'package.json')).resolve('@sluice/engine/package.json'));
  } catch {
    return undefined;
  }
}

async function printProgramClasses(
  folder: string,
  classes: string,
  engine: string | undefined,
): Promise<void> {
  const compiled = resolve(folder, classes);
  if (engine === undefined)
    return void process.stdout.write('To see what is compiled of the classes: install @sluice/engine\n');
  if (!existsSync(compiled) || !statSync(compiled).isDirectory())
    return void process.stdout.write(
      `To see what is compiled of the classes: build the program, then --classes FOLDER; there is no ${compiled}\n`,
    );
  process.stdout.write(`Classes in ${classes}, each timed with a value that is made from its rules:\n`);
  process.stdout.write(printClasses(await askProcess(join(engine, 'classes.cjs'), compiled)));
}

/** The time limit for loading classes, which is longer than any program takes. */
const PATIENCE_MS = 120_000;

function askProcess(file: string, folder: string): Promise<ClassesMessage> {
  const child = fork(file, [folder], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return new Promise<ClassesMessage>((done, fail) => {
    const timer = setTimeout(
      () => fail(new BadUse('The classes took more than two minutes to load.')),
      PATIENCE_MS,
    );
    child.once('message', (message: ClassesMessage) => done(message));
    child.once('exit', (code) =>
      fail(new BadUse(`A file of the program ended the process that loaded it (${code}).`)),
    );
    child.once('error', fail);
    child.once('exit', () => clearTimeout(timer));
  }).finally(() => child.kill('SIGKILL'));
}
