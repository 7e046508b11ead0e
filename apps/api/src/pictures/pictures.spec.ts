import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Housekeeping } from '@app/accounts';
import { UploadStore } from '@app/service';
import { Client } from '@app/service/testing';
import { bootApi } from '../../testing/boot-api';

const folder = join(tmpdir(), `sluice-pictures-${randomUUID()}`);
/** A PNG file, as far as its first bytes go. */
const png = (text: string) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from(text.padEnd(64))]);

function picture(bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append('picture', new Blob([bytes]), 'me.png');
  return form;
}

describe('the picture of a user', () => {
  const api = bootApi({ env: { UPLOAD_DIR: folder } });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const put = (client: Client, bytes: Uint8Array<ArrayBuffer>) =>
    client.send('PUT', '/users/me/picture', picture(bytes));

  it('is replaced by its user, who alone reads it, and its earlier file is removed', async () => {
    const [user, other] = [await api.newcomer(), await api.newcomer()];
    expect((await user.get('/users/me/picture')).status).toBe(404);
    const first = await put(user, png('first'));
    expect([first.status, first.json]).toEqual([200, { bytes: 80, createdAt: expect.any(String) }]);
    await put(user, png('second'));
    const { status, headers, text } = await user.get('/users/me/picture');
    expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
      200,
      'image/png',
      '80',
    ]);
    expect(text).toContain('second');
    expect((await other.get('/users/me/picture')).status).toBe(404);
    expect(await readdir(folder)).toHaveLength(1);
    expect((await user.delete('/users/me/picture')).status).toBe(204);
    expect((await user.delete('/users/me/picture')).status).toBe(404);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is one of them when several are sent at the same time', async () => {
    const user = await api.newcomer();
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((text) => put(user, png(text))));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await user.get('/users/me/picture')).status).toBe(200);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('is removed with its account, and found again if that was interrupted', async () => {
    const user = await api.newcomer();
    const others = await readdir(folder);
    await put(user, png('left'));
    const files = api.app().get(UploadStore, { strict: false });
    vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('interrupted'));
    expect((await user.delete('/users/me')).status).toBe(204);
    const housekeeping: Housekeeping = api.app().get('pictures housekeeping', { strict: false });
    await expect(housekeeping.run()).rejects.toThrow('interrupted');
    expect(await readdir(folder)).toHaveLength(others.length + 1);
    await housekeeping.run();
    expect(await readdir(folder)).toEqual(others);
  });

  it('is rejected before its bytes are read if nobody is signed in, and if it is no PNG', async () => {
    expect((await put(api(), png('x'))).status).toBe(401);
    const refused = await put(await api.newcomer(), Buffer.from('GIF89a'));
    expect([refused.status, refused.json.message]).toEqual([
      415,
      'picture must be a file of one of these types: image/png',
    ]);
  });
});
