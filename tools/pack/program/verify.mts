import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../../drill/programs/program.mts';

const administrator = { username: 'pack@example.com', password: 'correct horse battery staple' };

/**
 * Starts a packed program outside of the workspace, calls it, and stops it.
 *
 * @throws Error that says what is wrong with it
 */
export async function verify(application: string, packed: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-packed-'));
  try {
    // In the workspace it would find the packages of the workspace.
    cpSync(packed, join(folder, 'program'), { recursive: true });
    const program = {
      main: 'program/main.js',
      command: (name: string) => [process.execPath, 'program/main.js', name],
    };
    await useIn(folder, application, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same for a single executable: nothing else is in its folder. */
export async function verifySingle(application: string, executable: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-packed-'));
  try {
    copyFileSync(executable, join(folder, 'program'));
    const program = { main: 'program', command: (name: string) => [join(folder, 'program'), name] };
    await useIn(folder, application, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is called of a packed program; paths are relative to its folder. */
interface PackedProgram {
  readonly main: string;
  readonly command: (name: string) => readonly string[];
}

async function useIn(folder: string, application: string, { main, command }: PackedProgram): Promise<void> {
  runCommand(folder, command('migrate'));
  runCommand(folder, command('check-store'));
  runCommand(folder, [...command('backup'), join(folder, 'first-backup')]);
  runCommand(folder, [...command('restore'), join(folder, 'first-backup')]);
  const { username, password } = administrator;
  runCommand(folder, [...command('admin:reset'), '--email', username, '--password-stdin'], password);
  await callIn(folder, application, main);
}

function runCommand(cwd: string, [file = '', ...args]: readonly string[], input = ''): void {
  const { PATH } = process.env;
  const { status, stderr } = spawnSync(file, args, { cwd, env: { PATH }, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args[0]} of the packed program fails: ${stderr}`);
}

async function callIn(folder: string, application: string, main: string): Promise<void> {
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
      NODE_V8_COVERAGE: coverageOf(folder),
    },
  });
  let code: number | null;
  try {
    await call(program.url, application);
  } finally {
    code = await program.stop();
  }
  if (code !== 0) throw new Error(`the packed program exits with ${code}:\n${program.log()}`);
  if (!hasCompiled(coverageOf(folder)))
    throw new Error(`the packed program validates by the libraries:\n${program.log()}`);
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

async function call(url: string, application: string): Promise<void> {
  const about = await (await fetch(url)).text();
  if (!about.endsWith(`(${application})`)) throw new Error(`GET / of the packed program is ${about}`);
  await expectStatus(200, `${url}/health/ready`);
  await expectStatus(200, `${url}/openapi.json`);
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon.png'])
    await expectStatus(200, `${url}/docs/${file}`);
  await expectStatus(200, `${url}/auth/login`, administrator);
  await expectStatus(400, `${url}/auth/login`, { username: 1 });
}

async function expectStatus(expected: number, url: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
  const { status } = await fetch(url, init);
  if (status !== expected) throw new Error(`${url} of the packed program is ${status}, not ${expected}`);
}
