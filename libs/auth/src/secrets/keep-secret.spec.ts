import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretFileError } from '../errors';
import { keepSecret } from './keep-secret';

const GOOD = 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG';

describe('keeping a secret in a file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-secret-'));
    path = join(folder, 'jwt.secret');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('makes 256 random bits that only the owner can read, and leaves nothing else behind', () => {
    const secret = keepSecret(path);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['jwt.secret']);
  });

  it('gives the same secret the next time, and another in another file', () => {
    const secret = keepSecret(path);
    expect(keepSecret(path)).toBe(secret);
    expect(keepSecret(join(folder, 'other'))).not.toBe(secret);
  });

  it('makes the folders on the way', () => {
    expect(keepSecret(join(folder, 'a', 'b', 'jwt.secret'))).toHaveLength(43);
  });

  it('takes a secret that was put there by hand, without its line end', () => {
    writeFileSync(path, `${GOOD}\r\n`, { mode: 0o600 });
    expect(keepSecret(path)).toBe(GOOD);
  });

  it('follows a link to where the secret really is', () => {
    writeFileSync(join(folder, 'real'), GOOD, { mode: 0o600 });
    symlinkSync(join(folder, 'real'), path);
    expect(keepSecret(path)).toBe(GOOD);
  });

  it.each([0o640, 0o604, 0o644, 0o660, 0o666])(
    'refuses a file of mode %o, and leaves it as it is',
    (mode) => {
      writeFileSync(path, GOOD);
      chmodSync(path, mode);
      expect(() => keepSecret(path)).toThrow(SecretFileError);
      expect(() => keepSecret(path)).toThrow(/jwt\.secret is open to other users.*chmod 600/);
      expect(statSync(path).mode & 0o777).toBe(mode);
    },
  );

  it.each([
    ['empty', '', 'at least 32 bytes'],
    ['short', 'tiny-and-private', 'at least 32 bytes'],
    ['a published example', 'reallyreallyreallyreallyverysafe', 'published example'],
  ])('refuses a secret that is %s, without repeating it', (_, text, fault) => {
    writeFileSync(path, text, { mode: 0o600 });
    const { message } = caught(() => keepSecret(path));
    expect(message).toContain(fault);
    expect(message).not.toContain(text || 'no secret at all');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('says what to do when the file cannot be had, and keeps the cause', () => {
    mkdirSync(path);
    chmodSync(path, 0o700);
    expect(caught(() => keepSecret(path))).toMatchObject({
      message: expect.stringContaining('or set JWT_SECRET'),
      cause: expect.objectContaining({ code: 'EISDIR' }),
    });
  });
});

function caught(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Nothing was thrown.');
}
