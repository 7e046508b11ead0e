import { FakeIssuer } from '@app/accounts/testing';
import type { JWTPayload } from 'jose';
import { ProviderUnavailableError } from './errors';
import { OidcProvider } from './oidc-provider';

const secrets = { state: 'a state', nonce: 'a nonce', verifier: 'v'.repeat(43) };
const response = { code: 'a code', state: secrets.state };

describe('an identity provider', () => {
  let issuer: FakeIssuer;
  const reasons: string[] = [];
  beforeEach(async () => {
    issuer = await FakeIssuer.start('RS256');
    reasons.length = 0;
  });
  afterEach(() => issuer.stop());

  function providerOf(options: Partial<OidcProvider['rules']> = {}): OidcProvider {
    const rules = {
      name: 'acme',
      issuer: issuer.url,
      clientId: 'sluice',
      clientSecret: 'a secret',
      scopes: 'openid email',
      responseMode: 'query' as const,
      trustsEmails: false,
      acceptsVerifiedText: false,
      createsAccounts: true,
      requiresAuthTime: true,
      redirectUri: 'http://localhost:3000/sign-in/acme',
      ...options,
    };
    return new OidcProvider(rules, ({ reason }) => void reasons.push(reason));
  }

  const endpoints = () => ({
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
  });

  /** The identity for a user with these ID token claims. */
  async function identify(claims: JWTPayload, options?: Partial<OidcProvider['rules']>) {
    issuer.metadata = endpoints();
    const usual = { aud: 'sluice', nonce: secrets.nonce };
    const id_token = await issuer.sign({ ...usual, ...claims }, { typ: 'JWT' });
    issuer.documents['/realms/shop/token'] = { access_token: 'a token', token_type: 'bearer', id_token };
    return providerOf({ ...options }).identify(response, secrets);
  }

  it('says who signed in, and when', async () => {
    expect(await identify({ email: 'ada@example.com', email_verified: true, auth_time: 7 })).toEqual({
      issuer: issuer.url,
      subject: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
      authTime: 7,
    });
  });

  it('is asked for a form where the setting says so', async () => {
    issuer.metadata = endpoints();
    const modeOf = async (options?: Partial<OidcProvider['rules']>) =>
      new URL(await providerOf(options).authorizationUrl(secrets)).searchParams.get('response_mode');
    expect([await modeOf(), await modeOf({ responseMode: 'form_post' })]).toEqual([null, 'form_post']);
  });

  it('is not taken to have verified the user now if it does not say when', async () => {
    expect(await identify({})).toMatchObject({ authTime: 0 });
    expect((await identify({}, { requiresAuthTime: false }))?.authTime).toBeUndefined();
  });

  it.each([
    ['another issuer', { iss: 'https://other.example.com' }, /"iss"/],
    ['another audience', { aud: 'other' }, /"aud"/],
    ['several audiences and another party', { aud: ['sluice', 'other'], azp: 'other' }, /"azp"/],
    ['another nonce', { nonce: 'another' }, /"nonce"/],
    ['the past', { exp: 1 }, /"exp"/],
    ['a time of sign-in that is none', { auth_time: 'now' }, /"auth_time"/],
  ])('is not believed with an ID token of %s', async (_, claims, reason) => {
    expect(await identify(claims)).toBeUndefined();
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });

  it('is not believed with an ID token that another key signed', async () => {
    const otherIssuer = await FakeIssuer.start('RS256');
    await otherIssuer.stop();
    issuer.metadata = endpoints();
    const claims = { iss: issuer.url, aud: 'sluice', nonce: secrets.nonce };
    const id_token = await otherIssuer.sign(claims, { kid: issuer.key.kid });
    issuer.documents['/realms/shop/token'] = { access_token: 'a token', token_type: 'bearer', id_token };
    expect(await providerOf().identify(response, secrets)).toBeUndefined();
  });

  it.each([
    ['authorization_endpoint', 'javascript:alert(1)//'],
    ['authorization_endpoint', 'data:text/html,hello'],
    ['authorization_endpoint', 'http://other.example.com/authorize'],
    ['authorization_endpoint', undefined],
    ['authorization_endpoint', 5],
    ['token_endpoint', 'javascript:alert(1)//'],
    ['token_endpoint', ['https://id.example.com/token']],
    ['userinfo_endpoint', 'file:///etc/passwd'],
    ['userinfo_endpoint', {}],
    ['jwks_uri', 'ftp://id.example.com/keys'],
    ['jwks_uri', null],
    ['token_endpoint_auth_methods_supported', 'client_secret_post'],
    ['token_endpoint_auth_methods_supported', [5]],
  ])('is unavailable while its metadata have %s: %j', async (name, value) => {
    issuer.metadata = { ...endpoints(), [name]: value };
    await expect(providerOf().authorizationUrl(secrets)).rejects.toThrow(ProviderUnavailableError);
    expect(reasons.join()).toContain(name);
  });

  it.each([
    ['name another issuer', { issuer: 'https://other.example.com' }, /issuer/],
    ['have keys elsewhere without HTTPS', { jwks_uri: 'http://other.example.com/keys' }, /not by HTTPS/],
  ])('is unavailable while its metadata %s', async (_, metadata, reason) => {
    issuer.metadata = { ...endpoints(), ...metadata };
    const id_token = await issuer.sign({ aud: 'sluice', nonce: secrets.nonce });
    issuer.documents['/realms/shop/token'] = { access_token: 'a token', token_type: 'bearer', id_token };
    await expect(providerOf().identify(response, secrets)).rejects.toThrow(ProviderUnavailableError);
    expect(reasons.join()).toMatch(reason);
  });
});
