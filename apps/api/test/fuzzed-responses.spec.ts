import { FakeIssuer, SoftAuthenticator } from '@app/accounts/testing';
import { type Client, newEmail } from '@app/service/testing';
import fc from 'fast-check';
import { bootApi } from '../testing/boot-api';

/** `PROPERTY_RUNS=10000` tries more. */
const numRuns = Number(process.env.PROPERTY_RUNS ?? 60);
const password = 'correct horse battery staple';
const origin = 'https://example.com';

/** Any 16-bit units: lone surrogates and controls, too. */
const units = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  units,
  fc.constantFrom(null, 'true', 'a\0b', '__proto__', 1e15, 1e308, -0, 2 ** 53, 'x'.repeat(300), '\udc00'),
);
const seconds = () => Math.floor(Date.now() / 1000);
const time = fc.integer({ min: -1e6, max: 1e6 }).map((by) => seconds() + by);

/** A value of any kind somewhere in a message, or other bytes in one of its texts. */
type Change = { readonly at: number } & (
  | { readonly value: unknown }
  | { readonly by: 'cut' | 'add' | 'flip'; readonly place: number; readonly byte: number }
);

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.oneof(
    fc.record({ at: fc.nat(), value: anything }),
    fc.record({
      at: fc.nat(),
      by: fc.constantFrom('cut' as const, 'add' as const, 'flip' as const),
      place: fc.nat(),
      byte: fc.integer({ min: 1, max: 255 }),
    }),
  ),
  { minLength: 1, maxLength: 3 },
);

type Json = Record<string, unknown>;

/** The places of all members, the inner members, too. */
function placesIn(message: object): (readonly [Json, string])[] {
  const own = Object.keys(message).map((name) => [message as Json, name] as const);
  const inner = Object.values(message).filter((value) => typeof value === 'object' && value !== null);
  return [...own, ...inner.flatMap(placesIn)];
}

function changed(message: object, list: readonly Change[]): Json {
  const copy: Json = structuredClone(message) as Json;
  for (const change of list) {
    const places = placesIn(copy);
    const [owner, name] = places[change.at % Math.max(1, places.length)] ?? [copy, 'added'];
    const value = 'value' in change ? change.value : spoiled(owner[name], change);
    Object.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

/** Other bytes in what a text has in base64url. */
function spoiled(value: unknown, { by, place, byte }: Extract<Change, { by: string }>): unknown {
  if (typeof value !== 'string') return value;
  const bytes = Buffer.from(value, 'base64url');
  const at = place % Math.max(1, bytes.length);
  if (by === 'flip' && bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ byte;
  const kept = by === 'cut' ? bytes.subarray(0, at) : bytes;
  const added = by === 'add' ? Buffer.alloc(byte, byte) : Buffer.alloc(0);
  return Buffer.concat([kept, added]).toString('base64url');
}

describe('what other parties send for a sign-in', { timeout: 3_600_000 }, () => {
  const env: Record<string, string> = {
    SIGN_IN_ADDRESS_LIMIT: 'off',
    SIGN_UP_ADDRESS_LIMIT: 'off',
    PASSKEY_ORIGINS: origin,
    TRUST_PROXY: 'loopback',
  };
  let issuer: FakeIssuer;
  beforeAll(async () => {
    issuer = await FakeIssuer.start('RS256');
    const url = issuer.url;
    issuer.metadata = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
    Object.assign(env, {
      OIDC_ACME_ISSUER: url,
      OIDC_ACME_CLIENT_ID: 'sluice',
      OIDC_ACME_CLIENT_SECRET: 'a secret',
      OIDC_ACME_TRUST_EMAIL: 'on',
    });
  });
  afterAll(() => issuer.stop());
  const api = bootApi({ env });
  let sent = 0;
  /** Another address for each request: what is refused counts for its address. */
  const fromElsewhere = (client: Client = api()): Client => {
    sent += 1;
    return client.with({ 'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}` });
  };

  /** Completes a sign-in with a response of the token endpoint that is made from the nonce. */
  async function completeWith(makeResponse: (nonce: string) => Promise<object>): Promise<number> {
    const client = fromElsewhere();
    const { url, request } = (await client.post('/auth/providers/acme/authorize')).json;
    const { state = '', nonce = '' } = Object.fromEntries(new URL(url).searchParams);
    issuer.documents['/realms/shop/token'] = await makeResponse(nonce);
    const { status } = await client.post('/auth/providers/acme/complete', { request, code: 'a code', state });
    return status;
  }
  const idToken = (nonce: string, claims: object = {}, header: object = {}) => {
    const usual = { aud: 'sluice', nonce, sub: crypto.randomUUID(), auth_time: seconds() };
    return issuer.sign({ ...usual, ...claims }, { typ: 'JWT', ...header });
  };

  const claims = fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'sub',
        'email',
        'email_verified',
        'auth_time',
        'name',
        'amr',
        'acr',
        'azp',
        'aud',
        'tid',
      ),
      fc.constantFrom('iat', 'exp', 'nbf', 'nonce', 'iss', 'jti', 'at_hash', 'cnf'),
      fc.string(),
    ),
    fc.oneof(
      anything,
      time,
      fc.boolean(),
      fc.emailAddress(),
      units.map((text) => `${text}@example.com`),
    ),
    { minKeys: 1, maxKeys: 6 },
  );

  it('is answered below 500: claims of identity providers', async () => {
    const statuses = new Set<number>();
    const property = fc.asyncProperty(claims, async (changedClaims) => {
      const status = await completeWith(async (nonce) => ({
        access_token: 'a token',
        token_type: 'bearer',
        id_token: await idToken(nonce, changedClaims),
      }));
      statuses.add(status);
      expect(status).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns });
    // Some of them are those of a user.
    expect(statuses).toContain(201);
  });

  it('is answered below 500, or 503: responses of a token endpoint', async () => {
    const property = fc.asyncProperty(changes, async (list) => {
      const status = await completeWith(async (nonce) =>
        changed({ access_token: 'a token', token_type: 'bearer', id_token: await idToken(nonce) }, list),
      );
      expect(status < 500 || status === 503).toBe(true);
    });
    await fc.assert(property, { numRuns });
  });

  async function signUp(): Promise<Client> {
    const email = newEmail();
    const client = fromElsewhere();
    await client.post('/users', { email, password });
    return client.signIn(email, password);
  }

  it('is answered below 500: new passkeys of an authenticator', async () => {
    const statuses = new Set<number>();
    let owner = await signUp();
    let count = 0;
    const property = fc.asyncProperty(changes, async (list) => {
      // An account has a limited number of passkeys, and begins a limited number of times.
      if ((count += 1) % 5 === 0) owner = await signUp();
      const client = fromElsewhere(owner);
      const { options } = (await client.post('/auth/factors/passkeys', {})).json;
      const credential = changed(new SoftAuthenticator(origin).create(options), list);
      const { status } = await client.post('/auth/factors/passkeys/confirm', { credential });
      statuses.add(status);
      expect(status).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns });
    expect(statuses).toContain(200);
  });

  it('is answered below 500: signatures of a passkey', async () => {
    const owner = await signUp();
    const authenticator = new SoftAuthenticator(origin);
    const { options } = (await owner.post('/auth/factors/passkeys', {})).json;
    const credential = authenticator.create(options);
    expect((await owner.post('/auth/factors/passkeys/confirm', { credential })).status).toBe(200);
    const complete = async (list: readonly Change[]) => {
      const client = fromElsewhere();
      const { options: asked } = (await client.post('/auth/passkeys', {})).json;
      const signed = changed(authenticator.get(asked), list);
      return (await client.post('/auth/passkeys/complete', { credential: signed })).status;
    };
    const property = fc.asyncProperty(changes, async (list) => {
      expect(await complete(list)).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns });
    expect(await complete([])).toBe(201);
  });
});
