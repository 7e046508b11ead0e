import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseCoding, StaticFile, swaggerUi } from './static-file';

describe('a static file', () => {
  const text = Buffer.from('a line of the page\n'.repeat(100));

  it('is compressed once, and shared by all responses', async () => {
    const file = new StaticFile(text);
    const [first, second] = await Promise.all([file.in('br'), file.in('br')]);
    expect(second).toBe(first);
    expect(brotliDecompressSync(first)).toEqual(text);
    expect(gunzipSync(await file.in('gzip'))).toEqual(text);
    expect(await file.in('identity')).toBe(text);
  });

  it('is read once from its package, and shared by all responses', async () => {
    const [first, second] = await Promise.all([
      swaggerUi('favicon-32x32.png'),
      swaggerUi('favicon-32x32.png'),
    ]);
    expect((await first.in('identity')).subarray(1, 4).toString()).toBe('PNG');
    expect(second).toBe(first);
    expect(await swaggerUi('favicon-32x32.png')).toBe(first);
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
