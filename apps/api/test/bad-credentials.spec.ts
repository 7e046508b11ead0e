import { Administration } from '@app/accounts';
import { newEmail, type Reply } from '@app/service/testing';
import fc from 'fast-check';
import { bootApi } from '../testing/boot-api';
import { useFakeClock } from '../testing/fake-clock';

const password = 'correct horse battery staple';
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');

/** Mutations of a secret; each changes it. */
const spoiling = fc.oneof(
  fc.nat(200).map((length) => (text: string) => text.slice(0, length % text.length)),
  fc
    .string({ unit: fc.constantFrom(...base64url, '=', '.', '+', '/'), minLength: 1, maxLength: 20 })
    .map((more) => (text: string) => text + more),
  fc.tuple(fc.nat(200), fc.constantFrom(...base64url)).map(([at, put]) => (text: string) => {
    const place = at % text.length;
    return text.slice(0, place) + (text[place] === put ? '~' : put) + text.slice(place + 1);
  }),
  fc.constant((text: string) => text.toUpperCase() + text.toLowerCase()),
  fc.constant((text: string) => text.split('').toReversed().join('')),
  fc.integer({ min: 1, max: 6_000 }).map((length) => () => '_'.repeat(length)),
  fc.string({ unit: fc.constantFrom(...base64url), minLength: 80, maxLength: 80 }).map((text) => () => text),
);

/** A response without its date. */
function contentOf({ status, text, headers }: Reply): unknown {
  return { status, text, challenge: headers.get('www-authenticate'), names: [...headers.keys()].toSorted() };
}

describe('an invalid credential', () => {
  const api = bootApi();
  const clock = useFakeClock(api);
  const refresh = (token: string): Promise<Reply> => api().post('/auth/refresh', { refresh_token: token });
  const withKey = (key: string) => api().with({ 'x-api-key': key }).get('/auth/api-keys/current');
  /** The response to a request without credentials. */
  let refusal: unknown;

  beforeAll(async () => {
    refusal = contentOf(await refresh(''));
  });

  it('gets a 401 without a reason (D16)', () => {
    const text = '{"statusCode":401,"message":"Unauthorized"}';
    expect(refusal).toMatchObject({ status: 401, text, challenge: 'Bearer' });
  });

  async function open() {
    const email = newEmail();
    const { headers } = await api().post('/users', { email, password });
    const { json } = await api().post('/auth/sessions', { username: email, password });
    return {
      id: Number(headers.get('location')?.split('/').at(-1)),
      access: json.access_token,
      token: json.refresh_token,
    };
  }

  it('as a refresh token gets the same 401, and ends no session (D16, P4)', async () => {
    const { token } = await open();
    await fc.assert(
      fc.asyncProperty(spoiling, async (spoil) => {
        expect(contentOf(await refresh(spoil(token)))).toEqual(refusal);
      }),
      { numRuns: 200 },
    );
    expect((await refresh(token)).status).toBe(200);
  });

  it('as an API key gets the same 401, and revokes no key (D14, D16)', async () => {
    const { access } = await open();
    const key = (await api().as(access).post('/auth/api-keys', { name: 'robot' })).json.apiKey;
    await fc.assert(
      fc.asyncProperty(spoiling, async (spoil) => {
        expect(contentOf(await withKey(spoil(key)))).toEqual(refusal);
      }),
      { numRuns: 200 },
    );
    expect((await withKey(key)).status).toBe(200);
  });

  it('gets it also if it was valid once, or is valid elsewhere (D16)', async () => {
    const administration = api.app().get(Administration, { strict: false });
    // Sequential: a slow machine may reject the last of six concurrent hashes.
    const [foreign, stolen, ended] = [await open(), await open(), await open()];
    const [disabled, removed, expired] = [await open(), await open(), await open()];
    const key = (await api().as(foreign.access).post('/auth/api-keys', { name: 'robot' })).json.apiKey;
    await api().as(ended.access).post('/auth/logout');
    await administration.change(disabled.id, { disabled: true });
    await administration.remove(removed.id);
    const successor = (await refresh(stolen.token)).json.refresh_token;
    for (const token of [foreign.access, key, ended.token, disabled.token, removed.token])
      expect(contentOf(await refresh(token))).toEqual(refusal);
    for (const text of [foreign.token, foreign.access])
      expect(contentOf(await withKey(text))).toEqual(refusal);
    // The token before the last returns the last again, as long as nobody has used that (D54).
    const newest = (await refresh(successor)).json.refresh_token;
    for (const token of [stolen.token, newest]) expect(contentOf(await refresh(token))).toEqual(refusal);
    clock.pass(30 * 86_400_000);
    expect(contentOf(await refresh(expired.token))).toEqual(refusal);
  });
});
