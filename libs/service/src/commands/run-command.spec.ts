import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts } from '@app/accounts';
import { commandLine } from '@app/settings';
import { commands as ofEveryProgram } from './commands';
import { runCommand } from './run-command';

const commands = [...ofEveryProgram, ...accounts().commands];
const names = commands.map(({ name }) => name);

/** Runs it. @returns what it printed, and its exit code */
async function call(...words: (string | undefined)[]) {
  const args = words.filter((argument) => argument !== undefined);
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await runCommand(args, { commands });
    const [stdout, stderr] = [out, err].map(({ mock }) => mock.calls.map(([text]) => text).join(''));
    return { stdout, stderr, code: process.exitCode };
  } finally {
    process.exitCode = undefined;
    vi.restoreAllMocks();
  }
}

describe('the commands of a program', () => {
  it.each(['--help', '-h', 'help'])('are listed by %s', async (argument) => {
    const { stdout, stderr, code } = await call(argument);
    expect(names.filter((name) => !stdout?.includes(` ${name}`))).toEqual([]);
    expect([stderr, code]).toEqual(['', undefined]);
  });

  it.each([['nonsense'], ['--nonsense'], ['']])('are listed with the error for %j', async (name) => {
    const { stdout, stderr, code } = await call(name);
    expect(stderr).toContain(`${name} is not a command.`);
    expect(names.filter((command) => !stderr?.includes(` ${command}`))).toEqual([]);
    expect([stdout, code]).toEqual(['', 1]);
  });

  it.each(names)('have a help: %s', async (name) => {
    const { stdout, code } = await call(name, '--help');
    const { args = '', does = '' } = commands.find((command) => command.name === name) ?? {};
    expect([stdout, code]).toEqual([
      `${commandLine([name, ...(args ? [args] : [])])}\n    ${does}\n`,
      undefined,
    ]);
  });

  it.each(names)('refuse arguments that they do not have: %s', async (name) => {
    const { stderr, code } = await call(name, '--nonsense');
    expect([stderr, code]).toEqual([expect.stringMatching(/./), 1]);
  });

  it.each(names)('say in a line which setting is invalid: %s', async (name) => {
    vi.stubEnv('DATABASE_URL', 'nonsense');
    const { stdout, stderr, code } = await call(name);
    vi.unstubAllEnvs();
    expect(stderr).toMatch(/^DATABASE_URL must be sqlite:.*\. For example DATABASE_URL=sqlite:\S+\n$/);
    expect([stdout, code]).toEqual(['', 1]);
  });

  it.each([
    ['keys', 'ACCESS_TOKEN_TTL'],
    ['audit:check', 'AUDIT_RETENTION'],
  ])('say it of their own settings: %s', async (name, setting) => {
    vi.stubEnv(setting, 'nonsense');
    const { stderr, code } = await call(name);
    vi.unstubAllEnvs();
    expect(stderr).toMatch(
      new RegExp(`^${setting} must .* \\(it is "nonsense"\\)\\. For example ${setting}=\\S+\\n$`),
    );
    expect(code).toBe(1);
  });

  describe('without the SQLite file', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sluice-'));
      vi.stubEnv('DATABASE_URL', `sqlite:${folder}/sluice.db`);
      vi.stubEnv('UPLOAD_DIR', join(folder, 'uploads'));
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    });

    const readers = ['check-store', 'audit:check', 'admin:reset'].map((name) => [name]);
    readers.push(['migrate', '--list'], ['migrate', '--check']);

    it.each(names)('create none beside a trace of a lost file: %s', async (name) => {
      await writeFile(join(folder, 'jwt-secret'), '');
      expect((await call(name)).code).toBe(1);
      expect(await readdir(folder)).toEqual(['jwt-secret']);
    });

    it.each(readers)('say so: %s %s', async (...args) => {
      const { stderr, code } = await call(...args);
      expect([stderr, code]).toEqual([expect.stringMatching(/^there is no \S+sluice.db\. /), 1]);
      expect(await readdir(folder)).toEqual([]);
    });

    it('create one by migrate alone', async () => {
      expect((await call('migrate')).code).toBeUndefined();
      expect(await readdir(folder)).toEqual(['sluice.db']);
    });

    it('end what an account enrolled with a factor of a plugin: admin:reset', async () => {
      const ended: number[] = [];
      const end = async (accountId: number) => ended.push(accountId);
      const badge = { access: { end, outlivesRecovery: true } };
      vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      await runCommand(['migrate']);
      const reset = () =>
        runCommand(['admin:reset', '--email=root@example.com'], { commands, factors: [badge] });
      await reset();
      expect(ended).toEqual([]);
      await reset();
      vi.restoreAllMocks();
      expect(ended).toHaveLength(1);
    });
  });

  it('end without a trace if the reader of their output has ended', async () => {
    await call('--help');
    const listeners = process.stdout.listenerCount('error');
    await call('--help');
    expect(process.stdout.listenerCount('error')).toBe(listeners);
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    expect(() => process.stdout.emit('error', broken)).not.toThrow();
  });

  it('are scripts of the workspace by the same names', () => {
    const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8'));
    for (const name of names)
      expect(scripts[name]).toBe(`node scripts/run.js --env scripts/command.mts ${name}`);
  });
});
