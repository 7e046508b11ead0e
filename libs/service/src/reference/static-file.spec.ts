import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseCoding } from './encodings';
import { StaticFile } from './static-file';

describe('a static file', () => {
  const text = Buffer.from('a line of the page\n'.repeat(100));

  it('is compressed once, and shared by all responses', async () => {
    const file = new StaticFile(text);
    const [one, other] = await Promise.all([file.in('br'), file.in('br')]);
    expect(other.bytes).toBe(one.bytes);
    expect(brotliDecompressSync(one.bytes)).toEqual(text);
    expect(gunzipSync((await file.in('gzip')).bytes)).toEqual(text);
    expect((await file.in('identity')).bytes).toBe(text);
  });

  it('has another strong ETag for each coding and each content', async () => {
    const files = [new StaticFile(text), new StaticFile(Buffer.from('another'))];
    const made = files.flatMap((file) => [file.in('identity'), file.in('br'), file.in('gzip')]);
    const etags = (await Promise.all(made)).map(({ etag }) => etag);
    expect(new Set(etags).size).toBe(6);
    for (const etag of etags) expect(etag).toMatch(/^"[\w-]+"$/);
    expect((await new StaticFile(text).in('br')).etag).toBe(etags[1]);
  });

  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['br;q=x', 'identity'],
    ['deflate', 'identity'],
  ])('is sent for Accept-Encoding %j as %s', (accepted, coding) => {
    expect(chooseCoding(accepted)).toBe(coding);
  });
});
