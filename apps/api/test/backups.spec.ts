import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProgram, readSettings } from '@app/service';
import { program } from '../src/api.program';
import { bootApi } from '../testing/boot-api';

const isPostgres = process.env.TEST_DATABASE_URL !== undefined;

it('api does not start if BACKUP_TO cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-backups-'));
  const BACKUP_TO = join(folder, 'a-file/backups');
  writeFileSync(join(folder, 'a-file'), '');
  const { declarations, module } = program;
  const settings = readSettings(declarations, {
    BACKUP_TO,
    DATABASE_URL: `sqlite:${join(folder, 'a.db')}`,
  });
  await expect(makeProgram({ name: 'api', module: module(settings), settings })).rejects.toThrow(
    /^BACKUP_TO is \S+, and \S+\/a-file cannot be written \(ENOTDIR\): mount it/,
  );
  rmSync(folder, { recursive: true });
});

describe.skipIf(isPostgres)('api with BACKUP_TO', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-backups-'));
  bootApi({ env: { BACKUP_TO: folder } });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('makes a backup at its start', async () => {
    await vi.waitFor(
      () => expect(readdirSync(folder)).toEqual([expect.stringMatching(/^backup-.*\.tar\.gz$/)]),
      20_000,
    );
  });
});
