import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyFileError } from '../errors';
import { AccessTokens } from '../tokens/access-tokens';
import type { SigningKey } from '../tokens/token-key';
import { loadOrCreateKeys, makeKey, readKeys, replaceKeys } from './key-file';
import { runKeysCommand } from './keys-command';
import { WatchedKeys } from './watched-keys';

const SECRET = 'the secret of these tests, of 32 bytes and more';
const kidsOf = (keys: readonly SigningKey[] | undefined) => keys?.map(({ kid }) => kid);

describe('a key file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'));
    path = join(folder, 'jwt-keys.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is created with one key and mode 600, by one of several programs', async () => {
    const created = await Promise.all(
      [1, 2, 3].map(() => loadOrCreateKeys({ path, algorithm: 'ES256' }, SECRET)),
    );
    expect(new Set(created.map((keys) => kidsOf(keys)?.join())).size).toBe(1);
    expect(created[0]?.map(({ algorithm }) => algorithm)).toEqual(['ES256']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['jwt-keys.json']);
  });

  it('begins with the secret for HS256, so that tokens of before stay valid', async () => {
    const keys = await loadOrCreateKeys({ path, algorithm: 'HS256' }, SECRET);
    const before = new AccessTokens({ secret: SECRET, ttlSeconds: 60 });
    const token = before.sign({ sub: 7, username: 'ada@example.com' });
    expect(new AccessTokens({ keys, ttlSeconds: 60 }).verify(token)?.sub).toBe(7);
  });

  it('that is there decides, whatever algorithm is set', async () => {
    const [key] = await loadOrCreateKeys({ path, algorithm: 'EdDSA' }, SECRET);
    expect(kidsOf(await loadOrCreateKeys({ path, algorithm: 'ES256' }, SECRET))).toEqual([key?.kid]);
  });

  it('is rejected if others can read it, or it has no key, without repeating it', async () => {
    writeFileSync(path, '{"keys":["hunter2"]}', { mode: 0o600 });
    const fault = await readKeys(path).catch((reason: unknown) => reason);
    expect(fault).toBeInstanceOf(KeyFileError);
    expect(String(fault)).not.toContain('hunter2');
    chmodSync(path, 0o644);
    await expect(readKeys(path)).rejects.toThrow(/can be read by other users/);
    await expect(readKeys(folder)).rejects.toThrow(KeyFileError);
  });

  describe('that is watched', () => {
    let used: (readonly SigningKey[])[];
    let rejected: unknown[];
    let watched: WatchedKeys;
    beforeEach(async () => {
      [used, rejected] = [[], []];
      await replaceKeys(path, [await makeKey('EdDSA')]);
      watched = new WatchedKeys(path, {
        use: (keys) => used.push(keys),
        reject: (error) => rejected.push(error),
      });
      await watched.start();
    });
    afterEach(() => watched.stop());

    it('is read at the start, and again only when it was changed', async () => {
      await watched.check();
      expect(used).toHaveLength(1);
      const next = await makeKey('ES256');
      await replaceKeys(path, [next]);
      await watched.check();
      await watched.check();
      expect(used.map(kidsOf)).toEqual([kidsOf(used[0]), [next.kid]]);
      expect(rejected).toEqual([]);
    });

    it('is reported once if it cannot be used, and read when it can again', async () => {
      const text = readFileSync(path, 'utf8');
      for (const damage of [() => writeFileSync(path, 'no keys'), () => rmSync(path)]) {
        damage();
        await watched.check();
        await watched.check();
      }
      expect([used.length, rejected.length]).toEqual([1, 2]);
      writeFileSync(path, text, { mode: 0o600 });
      await watched.check();
      expect(used.map(kidsOf)).toEqual([kidsOf(used[0]), kidsOf(used[0])]);
    });
  });

  describe('by its command', () => {
    let lines: string[];
    let pauses: number[];
    const run = (...args: string[]) => {
      [lines, pauses] = [[], []];
      const print = (line: string) => void lines.push(line);
      return runKeysCommand({ path, ttlSeconds: 60, print, pause: async (ms) => pauses.push(ms) }, args);
    };

    it('is listed, and rotated step by step', async () => {
      await loadOrCreateKeys({ path, algorithm: 'EdDSA' }, SECRET);
      const first = kidsOf(await readKeys(path))?.[0] ?? '';
      await run('add');
      const second = kidsOf(await readKeys(path))?.[1] ?? '';
      expect(lines).toEqual([
        `added EdDSA ${second}, which verifies`,
        `EdDSA  ${first}  signs`,
        `EdDSA  ${second}  verifies`,
      ]);
      await run('use');
      expect(lines.slice(1)).toEqual([`EdDSA  ${second}  signs`, `EdDSA  ${first}  verifies`]);
      await run('drop');
      expect(lines).toEqual([`dropped EdDSA ${first}`, `EdDSA  ${second}  signs`]);
      expect([statSync(path).mode & 0o777, readdirSync(folder).length]).toEqual([0o600, 1]);
    });

    it('is rotated to another algorithm, with pauses for programs and for tokens', async () => {
      await loadOrCreateKeys({ path, algorithm: 'HS256' }, SECRET);
      await run('rotate', '--algorithm', 'ES256', '--wait', '7');
      expect(pauses).toEqual([7_000, 67_000]);
      expect((await readKeys(path))?.map(({ algorithm }) => algorithm)).toEqual(['ES256']);
    });

    it('is rotated with pauses of at most a day, since longer timers may fire at once', async () => {
      await loadOrCreateKeys({ path, algorithm: 'HS256' }, SECRET);
      await run('rotate', '--wait', '100000');
      expect(pauses).toEqual([86_400_000, 13_600_000, 86_400_000, 13_660_000]);
    });

    it('is not changed by other arguments', async () => {
      await loadOrCreateKeys({ path, algorithm: 'HS256' }, SECRET);
      const before = readFileSync(path, 'utf8');
      for (const args of [
        [],
        ['forget'],
        ['rotate', 'now'],
        ['rotate', '--algorithm', 'RS256'],
        ['rotate', '--wait', '-1'],
        ['rotate', '--wait', 'x'],
        ['--force'],
      ])
        await expect(run(...args)).rejects.toThrow(TypeError);
      expect(readFileSync(path, 'utf8')).toBe(before);
    });

    it('is not created', async () => {
      await expect(run('list')).rejects.toThrow(/is not there/);
      expect(readdirSync(folder)).toEqual([]);
    });
  });
});
