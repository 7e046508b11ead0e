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
import { loadOrCreateSecret } from './secret-file';

const GOOD = 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG';

describe('a secret file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-secret-'));
    path = join(folder, 'jwt.secret');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is created with 256 random bits and mode 600, without temporary files', () => {
    const secret = loadOrCreateSecret(path);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['jwt.secret']);
  });

  it('returns the same secret again, and another one for another file', () => {
    const secret = loadOrCreateSecret(path);
    expect(loadOrCreateSecret(path)).toBe(secret);
    expect(loadOrCreateSecret(join(folder, 'other'))).not.toBe(secret);
  });

  it('creates missing directories', () => {
    expect(loadOrCreateSecret(join(folder, 'a', 'b', 'jwt.secret'))).toHaveLength(43);
  });

  it('returns a secret written by hand, without the newline', () => {
    writeFileSync(path, `${GOOD}\r\n`, { mode: 0o600 });
    expect(loadOrCreateSecret(path)).toBe(GOOD);
  });

  it('follows a symbolic link', () => {
    writeFileSync(join(folder, 'real'), GOOD, { mode: 0o600 });
    symlinkSync(join(folder, 'real'), path);
    expect(loadOrCreateSecret(path)).toBe(GOOD);
  });

  it.each([0o640, 0o604, 0o644, 0o660, 0o666])(
    'rejects a file with mode %o, and leaves it unchanged',
    (mode) => {
      writeFileSync(path, GOOD);
      chmodSync(path, mode);
      expect(() => loadOrCreateSecret(path)).toThrow(SecretFileError);
      expect(() => loadOrCreateSecret(path)).toThrow(/jwt\.secret can be read by other users.*chmod 600/);
      expect(statSync(path).mode & 0o777).toBe(mode);
    },
  );

  it.each([
    ['empty', '', 'at least 32 bytes'],
    ['short', 'tiny-and-private', 'at least 32 bytes'],
    ['a published example', 'reallyreallyreallyreallyverysafe', 'published example'],
  ])('rejects a secret that is %s, without repeating it', (_, text, fault) => {
    writeFileSync(path, text, { mode: 0o600 });
    const { message } = caught(() => loadOrCreateSecret(path));
    expect(message).toContain(fault);
    expect(message).not.toContain(text || 'no secret at all');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('names the remedy when the file cannot be read, and keeps the cause', () => {
    mkdirSync(path);
    chmodSync(path, 0o700);
    expect(caught(() => loadOrCreateSecret(path))).toMatchObject({
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
