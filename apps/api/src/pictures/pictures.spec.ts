import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobRunner, jobToken } from '@app/persistence';
import { Client, FakeS3, makePng, pngChunk } from '@app/service/testing';
import { UploadStore } from '@app/uploads';
import { Logger } from '@nestjs/common';
import { bootApi } from '../../testing/boot-api';

const folder = join(tmpdir(), `sluice-pictures-${randomUUID()}`);

function picture(bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append('picture', new Blob([bytes]), 'me.png');
  return form;
}

const s3 = new FakeS3();
const stores = {
  'in a folder': {
    env: { UPLOAD_DIR: folder },
    names: () => readdir(folder),
    lose: (name: string) => rm(join(folder, name)),
  },
  'in a bucket': {
    env: { UPLOADS: 's3://uploads/pictures' },
    names: async () => [...s3.objects.keys()].map((key) => key.replace(/^pictures\//, '')),
    lose: async (name: string) => void s3.objects.delete(`pictures/${name}`),
  },
};

describe.each(Object.entries(stores))('the picture of a user, %s', (_place, { env, names, lose }) => {
  const api = bootApi({ env });
  beforeAll(async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_S3', await s3.start());
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const put = (client: Client, bytes: Uint8Array<ArrayBuffer>) =>
    client.send('PUT', '/users/me/picture', picture(bytes));

  it('is replaced by its user, who alone reads it, and its earlier file is removed', async () => {
    const [user, stranger] = [await api.newcomer(), await api.newcomer()];
    expect((await user.get('/users/me/picture')).status).toBe(404);
    const first = await put(user, makePng('first'));
    expect([first.status, first.json]).toEqual([
      200,
      { bytes: makePng('first').length, createdAt: expect.any(String) },
    ]);
    await put(user, makePng('second'));
    const { status, headers, text } = await user.get('/users/me/picture');
    expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
      200,
      'image/png',
      String(makePng('second').length),
    ]);
    expect(text).toContain('second');
    expect((await stranger.get('/users/me/picture')).status).toBe(404);
    expect(await names()).toHaveLength(1);
    expect((await user.delete('/users/me/picture')).status).toBe(204);
    expect((await user.delete('/users/me/picture')).status).toBe(404);
    expect(await names()).toEqual([]);
  });

  it('is sent as an attachment, whose type a browser does not guess', async () => {
    const user = await api.newcomer();
    await put(user, makePng('<script>alert(1)</script>'));
    const { headers } = await user.get('/users/me/picture');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="picture.png"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    await user.delete('/users/me/picture');
  });

  it('is a 404 while its file is missing, and is replaced and deleted as ever', async () => {
    const user = await api.newcomer();
    const others = new Set(await names());
    await put(user, makePng('lost'));
    const lost = (await names()).find((name) => !others.has(name)) ?? '';
    await lose(lost);
    const error = vi.spyOn(Logger.prototype, 'error');
    expect((await user.get('/users/me/picture')).status).toBe(404);
    expect(error.mock.calls).toEqual([
      [{ picture: expect.any(Number), fileKey: lost, msg: 'picture file missing' }],
    ]);
    error.mockRestore();
    expect((await put(user, makePng('again'))).status).toBe(200);
    expect((await user.get('/users/me/picture')).text).toContain('again');
    expect((await user.delete('/users/me/picture')).status).toBe(204);
  });

  describe.runIf('UPLOADS' in env)('while the bucket does not answer', () => {
    it('is a 503', async () => {
      const user = await api.newcomer();
      s3.isDown = true;
      expect((await put(user, makePng('late'))).status).toBe(503);
      s3.isDown = false;
      expect((await put(user, makePng('late'))).status).toBe(200);
      expect((await user.delete('/users/me/picture')).status).toBe(204);
    });
  });

  it('is one of them when several are sent at the same time', async () => {
    const user = await api.newcomer();
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((text) => put(user, makePng(text))));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await user.get('/users/me/picture')).status).toBe(200);
    expect(await names()).toHaveLength(1);
  });

  it('is removed with its account, and found again if that was interrupted', async () => {
    const user = await api.newcomer();
    const others = await names();
    await put(user, makePng('left'));
    const files = api.app().get(UploadStore, { strict: false });
    vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('interrupted'));
    expect((await user.delete('/users/me')).status).toBe(204);
    const job: JobRunner = api.app().get(jobToken('pictures'), { strict: false });
    await expect(job.run()).rejects.toThrow('interrupted');
    expect(await names()).toHaveLength(others.length + 1);
    await job.run();
    expect(await names()).toEqual(others);
  });

  it.each([
    [
      'with a page after its end',
      Buffer.concat([makePng(), Buffer.from('<script>alert(1)</script>')]),
      'has data after its end',
    ],
    ['of which only the beginning is one', makePng().subarray(0, 40), 'ends too early'],
    ['with a checksum that is wrong', withOtherComment(), 'has a wrong checksum'],
    [
      'of a thousand million pixels',
      withWidth(100_000),
      'must not have more than 16384 pixels on a side, and 64 Mi in total',
    ],
  ])('is no picture %s', async (_, bytes, reason) => {
    const before = await names();
    const { status, json } = await put(await api.newcomer(), bytes);
    expect([status, json.message]).toEqual([422, `picture is not a valid picture: it ${reason}`]);
    await expect.poll(() => names()).toEqual(before);
  });

  it('is rejected before its bytes are read without credentials, and if it is no PNG', async () => {
    expect((await put(api(), makePng('x'))).status).toBe(401);
    const refused = await put(await api.newcomer(), Buffer.from('GIF89a'));
    expect([refused.status, refused.json.message]).toEqual([
      415,
      'picture must be a file of one of these types: image/png',
    ]);
  });
});

/** A PNG whose comment was changed after its checksum was made. */
function withOtherComment(): Buffer<ArrayBuffer> {
  const bytes = makePng('first');
  bytes.write('other', bytes.indexOf('first'));
  return bytes;
}

/** A PNG whose header says that it is so wide. */
function withWidth(pixels: number): Buffer<ArrayBuffer> {
  const bytes = makePng();
  bytes.writeUInt32BE(pixels, 16);
  const header = bytes.subarray(16, 29);
  return Buffer.concat([bytes.subarray(0, 8), pngChunk('IHDR', header), bytes.subarray(33)]);
}
