import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { openDatabase } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { pack } from 'tar-stream';
import { readIdentities } from './encryption';
import { makeBackup } from './make-backup';
import type { BackupPlace } from './place';
import { restoreBackup } from './restore-backup';

describe('a backup', () => {
  const store = useMigratedDatabase();
  let folder: string;
  let file: string;
  let place: BackupPlace;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'));
    file = join(folder, 'backup.tar.gz');
    place = {
      db: store.db,
      uploads: join(folder, 'uploads'),
      keys: { 'jwt-secret': join(folder, 'jwt-secret'), 'jwt-keys.json': join(folder, 'jwt-keys.json') },
    };
    await mkdir(place.uploads);
    await writeFile(join(folder, 'jwt-secret'), 'secret before');
    await writeFile(join(place.uploads, 'one'), 'picture');
    await writeFile(join(place.uploads, 'none'), '');
    await writeFile(join(place.uploads, 'two.part'), 'being uploaded');
    await addPost('before');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('restores the store, the uploaded files and the keys as they were', async () => {
    await backUp();
    await addPost('after');
    await rm(place.uploads, { recursive: true });
    await writeFile(join(folder, 'jwt-secret'), 'secret after');

    await restore();

    expect(await slugs()).toEqual(['before']);
    expect((await readdir(place.uploads)).toSorted()).toEqual(['none', 'one']);
    expect(await readFile(join(place.uploads, 'one'), 'utf8')).toBe('picture');
    expect(await readFile(join(folder, 'jwt-secret'), 'utf8')).toBe('secret before');
    expect(await readFile(join(folder, 'jwt-secret.replaced'), 'utf8')).toBe('secret after');
    expect((await stat(join(folder, 'jwt-secret'))).mode & 0o077).toBe(0);
    expect(existsSync(join(folder, 'jwt-keys.json'))).toBe(false);
  });

  it('is restored to a machine that has nothing', async () => {
    await backUp();
    await store.db.destroy();
    await rm(store.db.place);
    await rm(place.uploads, { recursive: true });
    await rm(join(folder, 'jwt-secret'));

    await restore();

    expect(await slugs()).toEqual(['before']);
    expect(await readFile(join(folder, 'jwt-secret'), 'utf8')).toBe('secret before');
  });

  it('has each file of the moment of the store, also one that is removed while it is written', async () => {
    await makeBackup(place, {}, async (archive) => {
      await rm(join(place.uploads, 'one'));
      await pipeline(archive, createWriteStream(file));
    });

    await restore();

    expect(await readFile(join(place.uploads, 'one'), 'utf8')).toBe('picture');
  });

  it('leaves nothing beside the store and the uploaded files', async () => {
    await backUp();
    await restore();

    const names = [await readdir(dirname(store.db.place)), await readdir(place.uploads)].flat();
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('that is encrypted is read by each identity it is for, and by no other', async () => {
    const [ours, second, stranger] = await Promise.all([1, 2, 3].map(generateX25519Identity));
    await backUp([await identityToRecipient(ours ?? ''), await identityToRecipient(second ?? '')]);
    expect((await readFile(file)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    await addPost('after');

    await expect(restore([])).rejects.toThrow('the backup is encrypted: name a file by --identity');
    await expect(restore([stranger ?? ''])).rejects.toThrow(/no identity matched/);
    expect(await slugs()).toEqual(['before', 'after']);
    await restore(readIdentities(`# created: today\n# public key: age1\n${second}\n`));
    expect(await slugs()).toEqual(['before']);
  });

  it.each([0, 0.5, 0.99])(
    'of which only a part is there (%d) is refused, and nothing changed',
    async (part) => {
      const identity = await generateX25519Identity();
      for (const recipients of [[], [await identityToRecipient(identity)]]) {
        await rm(file, { force: true });
        await backUp(recipients);
        await truncate(file, Math.floor((await stat(file)).size * part));
        await writeFile(join(folder, 'jwt-secret'), 'secret after');

        await expect(restore([identity])).rejects.toThrow(/the archive (cannot be read|is truncated)/);
        expect(await readFile(join(folder, 'jwt-secret'), 'utf8')).toBe('secret after');
      }
      expect(await slugs()).toEqual(['before']);
    },
  );

  it('that cannot be restored leaves nothing on a machine that has nothing', async () => {
    await backUp();
    await truncate(file, 100);
    const empty = join(folder, 'srv/sluice');
    const db = openDatabase(`sqlite:${empty}/sluice.db`);

    await expect(
      restoreBackup({ ...place, db, uploads: join(empty, 'uploads') }, createReadStream(file), []),
    ).rejects.toThrow('the archive cannot be read');
    expect(existsSync(join(folder, 'srv'))).toBe(false);
    await db.destroy();
  });

  it('whose contents are not those that were written is refused', async () => {
    const identity = await generateX25519Identity();
    await backUp();
    const tar = gunzipSync(await readFile(file));
    tar[tar.indexOf('picture')] = 'P'.charCodeAt(0);
    await writeFile(file, gzipSync(tar));

    await expect(restore([identity])).rejects.toThrow('the archive is damaged');
    expect(await slugs()).toEqual(['before']);
    expect(await readFile(join(place.uploads, 'one'), 'utf8')).toBe('picture');
  });

  const outside = ['../escaped', 'uploads/../../escaped', 'keys/a/b', '/tmp/escaped'];
  it.each(outside)('cannot write where it should not: %s', async (name) => {
    const tar = pack();
    tar.entry({ name }, 'content');
    tar.finalize();
    await pipeline(tar, createGzip(), createWriteStream(file));

    await expect(restore()).rejects.toThrow('the archive is not a backup of this program');
  });

  it('is refused while a program uses the store', async () => {
    await backUp();
    const again = { ...place, db: store.openAnother() };

    await rm(join(place.uploads, 'one'));

    await expect(restoreBackup(again, createReadStream(file), [])).rejects.toThrow('stop it first');
    expect((await readdir(place.uploads)).toSorted()).toEqual(['none', 'two.part']);
  });

  const addPost = (slug: string) => store.db.insertInto('sampleArticle').values({ slug }).execute();

  const backUp = (recipients: readonly string[] = []) =>
    makeBackup(place, { recipients }, (archive) => pipeline(archive, createWriteStream(file)));

  async function restore(identities: readonly string[] = []): Promise<void> {
    await store.db.destroy();
    await restoreBackup({ ...place, db: store.openAnother() }, createReadStream(file), identities);
  }

  async function slugs(): Promise<string[]> {
    const db = store.openAnother();
    const rows = await db.selectFrom('sampleArticle').select('slug').orderBy('id').execute();
    await db.destroy();
    return rows.map(({ slug }) => slug);
  }
});
