import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../../drill/programs/program.mts';
import { callDescribed, type Calls } from './call-described.mts';

const administrator = { username: 'pack@example.com', password: 'correct horse battery staple' };

/**
 * Starts a packed program outside the workspace, calls the operations that its document describes, and stops it.
 *
 * @throws Error that describes the problem
 */
export async function verify(packed: string): Promise<Calls> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-packed-'));
  try {
    // In the workspace it would find the packages of the workspace.
    cpSync(packed, join(folder, 'program'), { recursive: true });
    const program = {
      main: 'program/main.js',
      command: (name: string) => [process.execPath, 'program/main.js', name],
    };
    return await useIn(folder, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same for a single executable: nothing else is in its folder. */
export async function verifySingle(executable: string): Promise<Calls> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-packed-'));
  try {
    copyFileSync(executable, join(folder, 'program'));
    const program = { main: 'program', command: (name: string) => [join(folder, 'program'), name] };
    return await useIn(folder, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A packed program's executable parts. Paths are relative to its folder. */
interface PackedProgram {
  readonly main: string;
  readonly command: (name: string) => readonly string[];
}

async function useIn(folder: string, { main, command }: PackedProgram): Promise<Calls> {
  runCommand(folder, command('migrate'));
  runCommand(folder, command('check-store'));
  runCommand(folder, [...command('backup'), join(folder, 'first-backup')]);
  runCommand(folder, [...command('restore'), join(folder, 'first-backup')]);
  const { username, password } = administrator;
  runCommand(folder, [...command('admin:reset'), '--email', username, '--password-stdin'], password);
  return callIn(folder, main);
}

function runCommand(cwd: string, [file = '', ...args]: readonly string[], input = ''): void {
  const { PATH } = process.env;
  const { status, stderr } = spawnSync(file, args, { cwd, env: { PATH }, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args[0]} of the packed program fails: ${stderr}`);
}

async function callIn(folder: string, main: string): Promise<Calls> {
  const program = await startProgram({
    file: join(folder, main),
    isExecutable: !main.endsWith('.js'),
    cwd: folder,
    logFile: join(folder, 'log'),
    env: {
      PORT: '0',
      MIGRATE: 'check',
      NODE_ENV: 'production',
      DRAIN_DELAY: '0s',
      DOCS: 'on',
      NODE_V8_COVERAGE: coverageOf(folder),
    },
  });
  let code: number | null;
  let calls: Calls;
  try {
    await expectFiles(program.url);
    calls = await callDescribed({ url: program.url, administrator });
  } finally {
    code = await program.stop();
  }
  if (code !== 0) throw new Error(`the packed program exits with ${code}:\n${program.log()}`);
  if (calls.refusedBodies > 0 && !hasCompiled(coverageOf(folder)))
    throw new Error(`the packed program validates by the libraries:\n${program.log()}`);
  return calls;
}

function coverageOf(folder: string): string {
  return join(folder, 'coverage');
}

/** Whether scripts that the engine has written were run: without it, the libraries do the same more slowly. */
function hasCompiled(coverage: string): boolean {
  return readdirSync(coverage).some((file) =>
    readFileSync(join(coverage, file), 'utf8').includes('"url":"sluice/make_'),
  );
}

/** Checks the files that every program serves. */
async function expectFiles(url: string): Promise<void> {
  const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon.png'];
  for (const path of ['/health/ready', '/openapi.json', ...files.map((file) => `/docs/${file}`)]) {
    const { status } = await fetch(`${url}${path}`);
    if (status !== 200) throw new Error(`${path} of the packed program is ${status}`);
  }
}
