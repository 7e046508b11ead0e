import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKeysCommand, TokenKeyFile } from '@app/auth';
import { newEmail } from '@app/service/testing';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { bootPair } from '../testing/boot-pair';
import { untilAllRefreshed, WorkingUser } from '../testing/working-user';

const password = 'correct horse battery staple';
const folder = mkdtempSync(join(tmpdir(), 'sluice-turn-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['HS256', 'HS256'],
  ['ES256', 'ES256'],
  ['EdDSA', 'EdDSA'],
  ['HS256', 'ES256'],
  ['ES256', 'EdDSA'],
])('the key of %s, rotated to %s while everybody works (P7, P17)', (JWT_ALGORITHM, algorithm) => {
  const path = join(folder, `${JWT_ALGORITHM}-${algorithm}.json`);
  const api = bootPair({ JWT_ALGORITHM, JWT_KEY_FILE: path });
  let turn = 0;
  const next = () => api((turn += 1) % 2 === 0 ? 0 : 1);
  const algorithmOf = (token: string) => {
    const { alg } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    return alg;
  };
  const published = async () => (await api(0).get('/.well-known/jwks.json')).json;

  it(
    'is replaced in all programs without a restart, and no request is refused',
    { timeout: 120_000 },
    async () => {
      const email = newEmail();
      const credentials = { username: email, password };
      await next().post('/users', { email, password });
      const before = (await next().post('/auth/login', credentials)).json.access_token;
      expect(algorithmOf(before)).toBe(JWT_ALGORITHM);
      const users = Array.from({ length: 3 }, () => new WorkingUser(next));
      for (const user of users) await user.open(credentials);
      const work = users.map((user) => user.work());

      const files = ([0, 1] as const).map((which) => api.app(which).get(TokenKeyFile, { strict: false }));
      /** Instead of seconds: until both have read the file, and every token of before is replaced. */
      const pause = async () => {
        await Promise.all(files.map((file) => file.check()));
        await untilAllRefreshed(users);
      };
      await runKeysCommand({ path, ttlSeconds: 60, print: () => {}, pause }, [
        'rotate',
        '--algorithm',
        algorithm,
      ]);
      await pause();
      for (const user of users) user.stop();
      await Promise.all(work);

      expect(new Set(users.flatMap(({ statuses }) => statuses))).toEqual(new Set([200]));
      const after = (await next().post('/auth/login', credentials)).json.access_token;
      expect(algorithmOf(after)).toBe(algorithm);
      for (const which of [0, 1] as const) {
        expect((await api(which).as(before).get('/auth/profile')).status).toBe(401);
        expect((await api(which).as(after).get('/auth/profile')).status).toBe(200);
      }
    },
  );

  it('is published by its public part alone', async () => {
    const { headers, text } = await api(0).get('/.well-known/jwks.json');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(text).not.toMatch(/"(?:d|k)":/);
    const set = await published();
    expect(set.keys.map(({ alg }: { alg: string }) => alg)).toEqual(algorithm === 'HS256' ? [] : [algorithm]);
  });

  it('lets others verify tokens by jose, if it is not a secret', async ({ skip }) => {
    skip(algorithm === 'HS256', 'a secret is not published');
    const email = newEmail();
    await api(0).post('/users', { email, password });
    const { access_token } = (await api(1).post('/auth/login', { username: email, password })).json;
    const check = { issuer: 'sluice', audience: 'api', algorithms: [algorithm] };
    const { payload } = await jwtVerify(access_token, createLocalJWKSet(await published()), check);
    expect(payload.username).toBe(email);
  });
});
