import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { FakeS3 } from '@app/service/testing';
import { writeArchive } from './archive';
import type { Destination } from './destination';
import { openDestination } from './open-destination';

/** The files in each destination. */
function destinationBehaves(open: () => Promise<Destination>): void {
  let destination: Destination;
  beforeEach(async () => {
    destination = await open();
  });

  it('has nothing at first', async () => {
    expect(await destination.list('')).toEqual([]);
  });

  it('lists files by their prefix, in their order, and reads them', async () => {
    for (const name of ['b-2', 'a/1', 'b-1', 'b-3'])
      await destination.write(name, Readable.from([`of ${name}`]));

    expect(await destination.list('b-')).toEqual(['b-1', 'b-2', 'b-3']);
    expect(await destination.list('a/')).toEqual(['a/1']);
    expect(await text(await destination.read('a/1'))).toBe('of a/1');
    await destination.remove('b-2');
    await destination.remove('b-2');
    expect(await destination.list('')).toEqual(['a/1', 'b-1', 'b-3']);
    await expect(destination.read('b-2')).rejects.toThrow(/ENOENT|does not exist/);
  });

  it('keeps a file that is larger than one part', async () => {
    const bytes = randomBytes(11_000_000);
    await destination.write(
      'large',
      Readable.from([bytes.subarray(0, 6_000_000), bytes.subarray(6_000_000)]),
    );
    expect((await buffer(await destination.read('large'))).equals(bytes)).toBe(true);
  });

  it('replaces a file of the same name', async () => {
    for (const content of ['first', 'second']) await destination.write('a', Readable.from([content]));
    expect(await text(await destination.read('a'))).toBe('second');
  });

  it.each([1, 6_000_000])('keeps nothing of a file that breaks off after %d bytes', async (size) => {
    async function* broken() {
      yield Buffer.alloc(size);
      throw new Error('the source failed');
    }
    await expect(destination.write('a', Readable.from(broken()))).rejects.toThrow('the source failed');
    expect(await destination.list('')).toEqual([]);
  });
}

/** An archive that fails before anybody reads it. */
async function* missing() {
  yield { name: 'a', bytes: 1, open: () => createReadStream('/does/not/exist') };
}

describe('backups in a folder', () => {
  let parent: string;
  const open = async () => {
    parent = await mkdtemp(join(tmpdir(), 'sluice-destination-'));
    return openDestination(join(parent, 'backups'));
  };
  afterEach(() => rm(parent, { recursive: true }));

  destinationBehaves(open);

  it('are readable by their owner alone, and leave no partial files', async () => {
    const destination = await openDestination(join(parent, 'backups'));
    await destination.write('wal/1', Readable.from(['content']));
    await expect(destination.write('2', writeArchive(missing(), {}))).rejects.toThrow('ENOENT');

    expect(await readdir(join(parent, 'backups'))).toEqual(['wal']);
    expect((await stat(join(parent, 'backups/wal'))).mode & 0o077).toBe(0);
    expect((await stat(join(parent, 'backups/wal/1'))).mode & 0o077).toBe(0);
  });
});

describe('backups in S3', () => {
  const s3 = new FakeS3();
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await s3.start();
  });
  afterAll(() => s3.stop());
  beforeEach(() => {
    s3.objects.clear();
    s3.objects.set('other/file', Buffer.from('of another program'));
    vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
  });
  afterEach(() => void vi.unstubAllEnvs());

  destinationBehaves(() => openDestination('s3://backups/sluice'));

  it('are below the prefix, and nothing else is touched', async () => {
    const destination = await openDestination('s3://backups/sluice');
    await destination.write('a', Readable.from(['content']));
    expect([...s3.objects.keys()].toSorted()).toEqual(['other/file', 'sluice/a']);
    expect(destination.place).toBe('s3://backups/sluice');
  });

  it('may have the bucket to themselves', async () => {
    const destination = await openDestination('s3://backups');
    await destination.write('a', Readable.from(['content']));
    expect(await destination.list('a')).toEqual(['a']);
  });

  it('are refused without valid credentials', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'wrong');
    const destination = await openDestination('s3://backups/sluice');
    await expect(destination.list('')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });
});
