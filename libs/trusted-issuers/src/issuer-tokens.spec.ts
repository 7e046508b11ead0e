import { FakeIssuer } from '@app/accounts/testing';
import { exportSPKI, generateKeyPair, importJWK, type JWK } from 'jose';
import { TrustedIssuerUnavailableError } from './errors';
import { IssuerKeys } from './issuer-keys';
import { type IssuerRules, readTrustedIssuers } from './issuer-rules';
import { IssuerTokens } from './issuer-tokens';
import { TrustedTokens } from './trusted-tokens';

describe('tokens of a trusted issuer', () => {
  let issuer: FakeIssuer;
  let otherIssuer: FakeIssuer;
  beforeAll(async () => {
    issuer = await FakeIssuer.start();
    otherIssuer = await FakeIssuer.start('RS256');
  });
  afterAll(async () => {
    await issuer.stop();
    await otherIssuer.stop();
  });

  function tokensOf(options = '', of = issuer): IssuerTokens {
    const [rules] = readTrustedIssuers(`${of.url} audience=shop-api ${options}`) as IssuerRules[];
    return new IssuerTokens(rules, new IssuerKeys(of.url));
  }
  const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

  it('are verified: by algorithm, issuer, audience, type and time', async () => {
    const token = await issuer.sign({ auth_time: 1000 });
    expect(await tokensOf().verify(token)).toMatchObject({
      issuer: issuer.url,
      subject: 'ada',
      authTime: 1000,
      role: undefined,
      scopes: undefined,
    });
    expect(await tokensOf('', otherIssuer).verify(await otherIssuer.sign())).toMatchObject({
      issuer: otherIssuer.url,
    });
    const several = await issuer.sign({ aud: ['billing', 'shop-api'] });
    expect(await tokensOf().verify(several)).toBeDefined();
  });

  it.each([
    ['of another audience', () => ({ aud: 'billing' })],
    ['without an audience', () => ({ aud: undefined })],
    ['of another issuer', () => ({ iss: 'https://evil.example.com' })],
    ['without an issuer', () => ({ iss: undefined })],
    ['that has expired', () => ({ iat: seconds(-300), exp: seconds(-11) })],
    ['that is not valid yet', () => ({ nbf: seconds(30) })],
    ['that is bound to a key of its client', () => ({ cnf: { jkt: 'x' } })],
    ['that was issued in the future', () => ({ iat: seconds(30) })],
    ['that lives too long', () => ({ exp: seconds(3602) })],
    ['without an expiry', () => ({ exp: undefined })],
    ['without a time of issue', () => ({ iat: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['with an empty subject', () => ({ sub: '' })],
    ['with a subject that no store has', () => ({ sub: 'ada\u0000' })],
    ['with a subject that is too long', () => ({ sub: 'a'.repeat(256) })],
    ['with a time of sign-in that is none', () => ({ auth_time: 'now' })],
  ])('%s are rejected', async (_, claims) => {
    expect(await tokensOf().verify(await issuer.sign(claims()))).toBeUndefined();
  });

  it('have a leeway for the clock of the issuer', async () => {
    const behind = await issuer.sign({ iat: seconds(-300), exp: seconds(-20) });
    const ahead = await issuer.sign({ iat: seconds(20), nbf: seconds(20) });
    for (const token of [behind, ahead]) {
      expect(await tokensOf('leeway=10s').verify(token)).toBeUndefined();
      expect(await tokensOf('leeway=30s').verify(token)).toBeDefined();
    }
  });

  it('have the type of access tokens, unless the issuer is excepted', async () => {
    for (const typ of ['JWT', undefined, 'id+jwt']) {
      const token = await issuer.sign({}, { typ });
      expect(await tokensOf().verify(token)).toBeUndefined();
      expect(await tokensOf('type=any').verify(token)).toBeDefined();
    }
    expect(await tokensOf().verify(await issuer.sign({}, { typ: 'application/AT+JWT' }))).toBeDefined();
  });

  it('have an algorithm of the list', async () => {
    expect(await tokensOf('algorithms=RS256').verify(await issuer.sign())).toBeUndefined();
    expect(await tokensOf('algorithms=ES256').verify(await issuer.sign())).toBeDefined();
  });

  it('are not signed with the public key as a secret, nor by nobody', async () => {
    const publicKey = (await importJWK(issuer.key.publicJwk, 'ES256')) as CryptoKey;
    const pem = new TextEncoder().encode(await exportSPKI(publicKey));
    const confused = await issuer.sign({}, { alg: 'HS256' }, pem);
    const [, payload] = (await issuer.sign()).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    for (const token of [confused, `${header}.${payload}.`, `${header}.${payload}`])
      expect(await tokensOf().verify(token)).toBeUndefined();
  });

  it('are not verified by keys that they bring or point to', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = (await crypto.subtle.exportKey('jwk', publicKey)) as JWK;
    const requests = otherIssuer.requests.length;
    for (const header of [
      { jwk },
      { jku: `${otherIssuer.url}/keys` },
      { x5u: `${otherIssuer.url}/keys` },
      { kid: undefined, jwk },
    ])
      expect(await tokensOf().verify(await issuer.sign({}, header, privateKey))).toBeUndefined();
    expect(otherIssuer.requests.length).toBe(requests);
  });

  it('are not signed by another trusted issuer', async () => {
    const trusted = new TrustedTokens([tokensOf(), tokensOf('', otherIssuer)], ({ issuer: iss }) => iss);
    const forged = await otherIssuer.sign({ iss: issuer.url });
    expect(await trusted.verify(forged, '192.0.2.1')).toBeUndefined();
    const borrowed = await otherIssuer.sign({ iss: issuer.url }, { kid: issuer.key.kid });
    expect(await trusted.verify(borrowed, '192.0.2.1')).toBeUndefined();
    expect((await trusted.verify(await otherIssuer.sign(), '192.0.2.1'))?.value).toBe(otherIssuer.url);
  });

  it('of an unknown key refresh the keys, and a flood of them does so once', async () => {
    const rotating = await FakeIssuer.start();
    let now = 0;
    const [rules] = readTrustedIssuers(`${rotating.url} audience=shop-api`) as IssuerRules[];
    const tokens = new IssuerTokens(rules, new IssuerKeys(rotating.url, undefined, () => now));
    const before = await rotating.sign();
    expect(await tokens.verify(before)).toBeDefined();
    await rotating.rotate();
    const after = await rotating.sign();
    expect(await tokens.verify(after)).toBeUndefined();
    now = 60_000;
    const flood = Array.from({ length: 200 }, (_, at) => rotating.sign({}, { kid: `unknown-${at}` }));
    const requests = rotating.requests.length;
    const verified = await Promise.allSettled(
      (await Promise.all(flood)).map((token) => tokens.verify(token)),
    );
    const waited = verified.filter(({ status }) => status === 'fulfilled');
    expect(waited).toEqual(Array.from({ length: 32 }, () => ({ status: 'fulfilled', value: undefined })));
    expect(rotating.requests.length).toBe(requests + 2);
    expect(await tokens.verify(after)).toBeDefined();
    expect(await tokens.verify(before)).toBeDefined();
    await rotating.stop();
  });

  it('of an issuer whose keys were never read are neither accepted nor refused', async () => {
    const absent = await FakeIssuer.start();
    await absent.stop();
    const verified = tokensOf('', absent).verify(await absent.sign());
    await expect(verified).rejects.toBeInstanceOf(TrustedIssuerUnavailableError);
  });

  it('have the roles and scopes that the map names, in its order', async () => {
    const token = await issuer.sign({
      realm_access: { roles: ['clerk', 'ops', 'admin'] },
      scope: 'orders.read openid',
    });
    const rules = `roles=realm_access.roles role-map=ops:admin,clerk:clerk scopes=scope scope-map=orders.read:read,orders.write:write`;
    expect(await tokensOf(rules).verify(token)).toMatchObject({ role: 'admin', scopes: ['read'] });
    expect(await tokensOf(rules).verify(await issuer.sign())).toMatchObject({ role: 'user', scopes: [] });
    const named = await issuer.sign({ 'https://shop.example/roles': 'ops' });
    const byName = 'roles=https://shop.example/roles role-map=ops:admin';
    expect(await tokensOf(byName).verify(named)).toMatchObject({ role: 'admin' });
    const inherited = tokensOf('roles=constructor.name role-map=Object:admin');
    expect(await inherited.verify(token)).toMatchObject({ role: 'user' });
  });

  it('have an id that does not depend on the spelling of the signature, nor equals that of another issuer', async () => {
    const [first, two] = [await issuer.sign({ jti: 'one' }), await issuer.sign({ jti: 'one' })];
    const ids = await Promise.all(
      [first, two].map(async (token) => (await tokensOf().verify(token))?.tokenId),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(
      (await tokensOf('', otherIssuer).verify(await otherIssuer.sign({ jti: 'one' })))?.tokenId,
    ).not.toBe(ids[0]);
    const anonymous = await issuer.sign({ jti: undefined });
    expect((await tokensOf().verify(anonymous))?.tokenId).toMatch(/^[\w-]{43}$/);
  });

  it('are remembered until they expire or the keys change, and huge ones are not read', async () => {
    const tokens = tokensOf();
    const trusted = new TrustedTokens([tokens], () => 1);
    const token = await issuer.sign();
    expect(trusted.remembered(token)).toBeUndefined();
    await trusted.verify(token, '192.0.2.1');
    expect(trusted.remembered(token)?.value).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 311_000 });
    expect(trusted.remembered(token)).toBeUndefined();
    vi.useRealTimers();
    tokens.keys.version += 1;
    expect(trusted.remembered(token)).toBeUndefined();
    expect(trusted.verify(await issuer.sign({ note: 'x'.repeat(8192) }), '192.0.2.1')).toBeUndefined();
    for (const garbage of ['', '.', 'a.b.c', '..', 'opaque', `${token}.x`])
      expect(await trusted.verify(garbage, '192.0.2.1')).toBeUndefined();
  });
});
