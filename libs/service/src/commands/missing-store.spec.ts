import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingStoreError, refuseMissingStore } from './missing-store';

describe('a start without the SQLite file', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'sluice-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const start = (args: readonly string[] = []) =>
    refuseMissingStore(
      { DATABASE_URL: `sqlite:${folder}/sluice.db`, UPLOAD_DIR: join(folder, 'uploads') },
      args,
    );

  it('creates it in an empty folder, and in one that does not exist', async () => {
    expect(() => start()).not.toThrow();
    await mkdir(join(folder, 'uploads'));
    expect(() => start()).not.toThrow();
  });

  it.each(['jwt-secret', 'sluice.db-wal', 'uploads/0b8d5f0e'])(
    'is refused if %s is there, unless a new one is asked for',
    async (trace) => {
      await mkdir(join(folder, 'uploads'));
      await writeFile(join(folder, trace), '');
      expect(() => start()).toThrow(MissingStoreError);
      expect(() => start()).toThrow(`there is no ${folder}/sluice.db, but ${folder}/${trace}`);
      expect(() => start(['--new-store'])).not.toThrow();
    },
  );

  it('is none if the file is there, or the store is PostgreSQL', async () => {
    await writeFile(join(folder, 'jwt-secret'), '');
    const server = { DATABASE_URL: 'postgres://a:b@localhost/c', UPLOAD_DIR: folder };
    expect(() => refuseMissingStore(server, [])).not.toThrow();
    await writeFile(join(folder, 'sluice.db'), '');
    expect(() => start()).not.toThrow();
  });
});
