import { fieldNames, LeakDetector } from './leak-detector';

const text = 'a hash/of a "password"';

function leaksOf(body: string, headers: Record<string, string> = {}): readonly string[] {
  const detector = new LeakDetector();
  detector.keep('the hash', text);
  detector.check('here', { text: body, headers: new Headers(headers) });
  return detector.leaks.map(({ what, where }) => `${what} in ${where}`);
}

describe('the leak detector', () => {
  it.each([
    ['as plain text', text],
    ['in JSON', JSON.stringify({ deep: [text] })],
    ['in a URL', encodeURIComponent(text)],
    ['in base64', Buffer.from(text).toString('base64')],
    ['in hexadecimal digits', Buffer.from(text).toString('hex')],
  ])('finds a secret in a body: %s', (_how, body) => {
    expect(leaksOf(body)).toContain('the hash in here: body');
  });

  it('finds it in a header, and in the log', () => {
    expect(leaksOf('', { location: `/x?${encodeURIComponent(text)}` })).toEqual([
      'the hash in here: headers',
    ]);
    const detector = new LeakDetector();
    detector.keep('the hash', text);
    detector.logs.log.trace({ row: { hash: text } }, 'read');
    expect(detector.checkLog()).toBe(1);
    expect(detector.leaks).toMatchObject([{ what: 'the hash', where: 'the log' }]);
  });

  it('reports nothing else', () => {
    expect(leaksOf('{"a":1}', { etag: 'x' })).toEqual([]);
  });

  it('finds the names of fields in camelCase and snake_case', () => {
    expect([...fieldNames([{ passwordHash: 1, deep: { key_hash: [] } }])]).toEqual([
      'passwordhash',
      'deep',
      'keyhash',
    ]);
  });
});
