import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@app/service';
import { backupCommands as commands } from './backup-commands';

const names = commands.map(({ name }) => name);

/** Runs a command. @returns what it wrote to standard error, and its exit code */
async function call(...args: readonly string[]) {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await runCommand(args, { commands });
    return { stderr: err.mock.calls.map(([text]) => text).join(''), code: process.exitCode };
  } finally {
    process.exitCode = undefined;
    vi.restoreAllMocks();
  }
}

describe('the commands of backups', () => {
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

  it.each(names)('refuse arguments that they do not have: %s', async (name) => {
    const { stderr, code } = await call(name, '--nonsense');
    expect([stderr, code]).toEqual([expect.stringMatching(/./), 1]);
  });

  it.each(names)('say in a line which setting is invalid: %s', async (name) => {
    vi.stubEnv('DATABASE_URL', 'nonsense');
    const { stderr, code } = await call(name);
    expect(stderr).toMatch(/^DATABASE_URL must be sqlite:.*\. For example DATABASE_URL=sqlite:\S+\n$/);
    expect(code).toBe(1);
  });

  it.each(names)('say it of their own settings: %s', async (name) => {
    vi.stubEnv('BACKUP_KEEP_FOR', 'nonsense');
    const { stderr, code } = await call(name);
    expect(stderr).toMatch(
      /^BACKUP_KEEP_FOR must .* \(it is "nonsense"\)\. For example BACKUP_KEEP_FOR=\S+\n$/,
    );
    expect(code).toBe(1);
  });

  it.each(names)('create no store beside a trace of a lost file: %s', async (name) => {
    await writeFile(join(folder, 'jwt-secret'), '');
    expect((await call(name)).code).toBe(1);
    expect(await readdir(folder)).toEqual(['jwt-secret']);
  });

  it('say that there is nothing to back up', async () => {
    const { stderr, code } = await call('backup');
    expect([stderr, code]).toEqual([expect.stringMatching(/^there is no \S+sluice.db\. /), 1]);
    expect(await readdir(folder)).toEqual([]);
  });
});
