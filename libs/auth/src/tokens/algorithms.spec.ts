import { createHmac, createSecretKey, sign } from 'node:crypto';
import { createLocalJWKSet, exportJWK, jwtVerify, SignJWT } from 'jose';
import { segment } from '../../testing';
import { makeKey } from '../keys/key-file';
import { publicJwks } from '../keys/key-set';
import { AccessTokens } from './access-tokens';
import { tokenAlgorithms } from './algorithms';
import { secretKey, type SigningKey, signatureOf } from './token-key';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0, 333);
const SECONDS = Math.floor(NOW / 1000);
const WHO = { sub: 7, username: 'ada@example.com' };
const CLAIMS = { ...WHO, iat: SECONDS, exp: SECONDS + 60 };
const tokensOf = (...keys: SigningKey[]) => new AccessTokens({ keys, ttlSeconds: 60 });

/** Signs any header by a key. */
function signed(header: object, key: SigningKey): string {
  const signingInput = `${segment({ typ: 'JWT', ...header })}.${segment(CLAIMS)}`;
  return `${signingInput}.${signatureOf(key, signingInput)}`;
}

describe.each(tokenAlgorithms)('a token with %s', (alg) => {
  let key: SigningKey;
  let other: SigningKey;
  let tokens: AccessTokens;
  const verify = (token: string) => tokens.verify(token, NOW);
  beforeAll(async () => {
    [key, other] = [await makeKey(alg), await makeKey(alg)];
    tokens = tokensOf(key);
  });

  it('is accepted here and by jose', async () => {
    const token = tokens.sign(WHO, NOW);
    expect(verify(token)).toMatchObject(CLAIMS);
    const check = { algorithms: [alg], typ: 'JWT', currentDate: new Date(NOW) };
    const { payload, protectedHeader } = await jwtVerify(token, key.verifier, check);
    expect([payload, protectedHeader]).toMatchObject([CLAIMS, { alg, kid: key.kid }]);
  });

  it('is accepted if jose signed it, with and without the key id', async () => {
    for (const kid of [{}, { kid: key.kid }]) {
      const { sub, ...others } = CLAIMS;
      const claims = { ...others, ['sub' as string]: sub };
      const token = await new SignJWT(claims).setProtectedHeader({ alg, ...kid }).sign(key.key);
      expect(verify(token)).toEqual(CLAIMS);
    }
  });

  it('is rejected if another key signed it, with whichever key id', () => {
    expect(verify(tokensOf(other).sign(WHO, NOW))).toBeUndefined();
    expect(verify(signed({ alg, kid: key.kid }, other))).toBeUndefined();
    expect(verify(signed({ alg }, other))).toBeUndefined();
  });

  it('is rejected under the name of another algorithm', () => {
    for (const name of [...tokenAlgorithms, 'none', 'ES384', 'Ed25519', 'HS512', alg.toLowerCase()])
      expect([name, verify(signed({ alg: name, kid: key.kid }, key))?.sub]).toEqual([
        name,
        name === alg ? WHO.sub : undefined,
      ]);
  });

  it('is rejected without its signature, and with a changed one', () => {
    const token = tokens.sign(WHO, NOW);
    const [header = '', payload = '', signature = ''] = token.split('.');
    for (const forged of [
      '',
      signature.slice(0, -4),
      `${signature}AAAA`,
      signature.toUpperCase(),
      `${signature}=`,
    ])
      expect(verify(`${header}.${payload}.${forged}`)).toBeUndefined();
    expect(verify(`${segment({ alg: 'none' })}.${payload}.`)).toBeUndefined();
  });

  it('is rejected once its key was replaced, although it had been accepted', () => {
    const turned = tokensOf(key);
    const token = turned.sign(WHO, NOW);
    expect(turned.verify(token, NOW)).toMatchObject(WHO);
    turned.useKeys([other, key]);
    expect(turned.verify(token, NOW)).toMatchObject(WHO);
    expect(turned.verify(turned.sign(WHO, NOW), NOW)).toMatchObject(WHO);
    turned.useKeys([other]);
    expect(turned.verify(token, NOW)).toBeUndefined();
  });
});

describe('keys of several algorithms', () => {
  it('verify their own tokens alone', async () => {
    const keys = await Promise.all(tokenAlgorithms.map(makeKey));
    const all = tokensOf(...keys);
    for (const key of keys) {
      expect(all.verify(tokensOf(key).sign(WHO, NOW), NOW)).toMatchObject(WHO);
      for (const other of keys.filter((one) => one !== key))
        expect(all.verify(signed({ alg: key.algorithm, kid: key.kid }, other), NOW)).toBeUndefined();
    }
  });

  it.each(['ES256', 'EdDSA'] as const)('take no public key of %s for a secret', async (alg) => {
    const key = await makeKey(alg);
    const publicKey = key.verifier;
    const { x = '' } = await exportJWK(publicKey);
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify((await publicJwks([key]))[0]),
      Buffer.from(x, 'base64url'),
    ];
    const tokens = tokensOf(key);
    for (const secret of secrets)
      for (const kid of [key.kid, undefined]) {
        const signingInput = `${segment({ alg: 'HS256', typ: 'JWT', kid })}.${segment(CLAIMS)}`;
        const signature = createHmac('sha256', secret).update(signingInput).digest('base64url');
        expect(tokens.verify(`${signingInput}.${signature}`, NOW)).toBeUndefined();
      }
  });

  it('reject an unknown key id of a public algorithm, and accept one of a shared secret', async () => {
    const [asymmetric, secret] = [await makeKey('ES256'), await makeKey('HS256')];
    const tokens = tokensOf(asymmetric, secret);
    expect(tokens.verify(signed({ alg: 'ES256', kid: 'theirs' }, asymmetric), NOW)).toBeUndefined();
    expect(tokens.verify(signed({ alg: 'HS256', kid: 'theirs' }, secret), NOW)).toEqual(CLAIMS);
  });

  it('reject a signature of ES256 in the encoding of X.509', async () => {
    const key = await makeKey('ES256');
    const signingInput = `${segment({ alg: 'ES256', kid: key.kid })}.${segment(CLAIMS)}`;
    const der = sign('sha256', Buffer.from(signingInput), key.key).toString('base64url');
    expect(tokensOf(key).verify(`${signingInput}.${der}`, NOW)).toBeUndefined();
  });

  it('are published without what signs, as jose reads them', async () => {
    const keys = await Promise.all(tokenAlgorithms.map(makeKey));
    const tokens = tokensOf(...keys);
    const published = await publicJwks(tokens.publicKeys);
    expect(published.map(({ alg }) => alg)).toEqual(['ES256', 'EdDSA']);
    expect(JSON.stringify(published)).not.toMatch(/"(?:d|k)"/);
    const set = createLocalJWKSet({ keys: [...published] });
    for (const key of keys.filter(({ algorithm }) => algorithm !== 'HS256')) {
      const token = tokensOf(key).sign(WHO, NOW);
      expect((await jwtVerify(token, set, { currentDate: new Date(NOW) })).payload).toMatchObject(CLAIMS);
    }
  });

  it('are at least one', () => {
    expect(() => tokensOf()).toThrow(TypeError);
    expect(() => tokensOf(secretKey(createSecretKey(Buffer.alloc(32)))).useKeys([])).toThrow(TypeError);
  });
});
