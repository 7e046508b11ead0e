import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootApi } from '../testing/boot-api';

const isPostgres = process.env.TEST_DATABASE_URL !== undefined;

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
