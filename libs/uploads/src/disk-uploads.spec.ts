import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskUploads } from './disk-uploads';

describe('the folder of uploaded files', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'sluice-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is checked at the start, and created later', async () => {
    await expect(new DiskUploads(join(folder, 'a/b')).prepare()).resolves.toBeUndefined();
    await writeFile(join(folder, 'file'), '');
    for (const path of ['file', 'file/uploads']) {
      const problem = expect.stringMatching(
        /^UPLOAD_DIR is \S+, and \S+\/file cannot be written \(ENOTDIR\)/,
      );
      await expect(new DiskUploads(join(folder, path)).prepare()).rejects.toMatchObject({
        name: 'SettingsError',
        message: problem,
      });
    }
  });
});
