import { FakeIssuer } from '@app/accounts/testing';
import { newEmail } from '@app/service/testing';
import type { JWTPayload } from 'jose';
import { bootApi } from '../testing/boot-api';

const seconds = () => Math.floor(Date.now() / 1000);

/** Values that a claim may have in JSON. */
const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e15,
  1e21,
  '',
  'true',
  'a\u0000b',
  'a lone \ud800 surrogate',
  '\u202e',
  'x'.repeat(5000),
  [],
  ['a'],
  {},
  { toString: 'a' },
];

describe('the claims of an identity provider', () => {
  const env: Record<string, string> = { SIGN_UP_ADDRESS_LIMIT: 'off' };
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

  async function signIn(claims: JWTPayload) {
    const { url, request } = (await api().post('/auth/providers/acme/authorize')).json;
    const { state = '', nonce } = Object.fromEntries(new URL(url).searchParams);
    const usual = { aud: 'sluice', nonce, sub: crypto.randomUUID(), auth_time: seconds() };
    const id_token = await issuer.sign({ ...usual, ...claims }, { typ: 'JWT' });
    issuer.documents['/realms/shop/token'] = { access_token: 'a token', token_type: 'bearer', id_token };
    return api().post('/auth/providers/acme/complete', { request, code: 'a code', state });
  }

  it.each([
    'sub',
    'email',
    'email_verified',
    'auth_time',
    'name',
    'iat',
    'exp',
    'nonce',
    'azp',
    'aud',
    'amr',
    'acr',
  ])('cause no unexpected error: %s', async (name) => {
    for (const value of hostile) {
      const { status } = await signIn({ email: newEmail(), email_verified: true, [name]: value });
      expect([name, value, status < 500]).toEqual([name, value, true]);
    }
  });

  it('name a user in 255 well-formed characters at most', async () => {
    const statuses = [];
    for (const sub of ['x'.repeat(255), 'x'.repeat(256), '\ud800', '\udfff', ''])
      statuses.push((await signIn({ sub })).status);
    expect(statuses).toEqual([201, 401, 401, 401, 401]);
  });

  it('say of no time after now when the user was verified', async () => {
    const recent = async (auth_time: number) => {
      const { json } = await signIn({ auth_time });
      return JSON.parse(atob(json.access_token.split('.')[1])).auth_time;
    };
    const now = seconds();
    expect(await recent(now + 3_600)).toBeLessThanOrEqual(seconds());
    expect(await recent(now - 3_600.5)).toBe(now - 3_601);
  });
});
