import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { readSettings } from '@app/service';
import { FakeS3 } from '@app/service/testing';
import { BucketUploads } from './bucket-uploads';
import { uploadSettings } from './upload-settings';

describe('the bucket of uploaded files', () => {
  const s3 = new FakeS3();
  let endpoint: string;
  beforeAll(async () => void (endpoint = await s3.start()));
  afterAll(() => s3.stop());
  beforeEach(() => {
    s3.objects.clear();
    vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('keeps a file of several parts below its prefix', async () => {
    const [store, bytes] = [new BucketUploads('s3://uploads/shop'), randomBytes(6 * 1024 * 1024)];
    const key = await store.write(partsOf(bytes), 'image/png');
    expect([...s3.objects.keys()]).toEqual([`shop/${key}`]);
    const content = await store.read(key);
    expect(content && bytes.equals(await buffer(content))).toBe(true);
    await store.remove(key);
    await store.remove(key);
    expect(await store.read(key)).toBeUndefined();
  });

  it.each([1, 7])('keeps nothing of an upload that fails after %i MiB', async (mebibytes) => {
    const store = new BucketUploads('s3://uploads');
    const failing = partsOf(randomBytes(mebibytes * 1024 * 1024), new Error('the client has left'));
    await expect(store.write(failing, 'image/png')).rejects.toThrow('the client has left');
    expect([...s3.objects.keys()]).toEqual([]);
  });

  it('fails while the bucket does not answer', async () => {
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    const store = new BucketUploads('s3://uploads');
    s3.isDown = true;
    await expect(store.read('a')).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
    s3.isDown = false;
    expect(await store.read('a')).toBeUndefined();
  });

  it.each(['uploads', 'gs://uploads', 's3://', 's3://UP'])('is not %s', (url) => {
    expect(() => readSettings(uploadSettings, { UPLOADS: url })).toThrow(
      'UPLOADS must be a bucket such as s3://uploads/sluice',
    );
  });
});

/** Yields bytes in pieces, and then fails with an error if there is one. */
async function* partsOf(bytes: Buffer, error?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  if (error) throw error;
}
