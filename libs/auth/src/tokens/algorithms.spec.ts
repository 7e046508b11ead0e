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

/** The order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** The order of the base point of Ed25519. */
const ORDER_25519 = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The token with its second number changed, in big-endian order. */
function withNumber(token: string, change: (number: bigint) => bigint): string {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const number = change(BigInt(`0x${bytes.toString('hex', 32)}`));
  bytes.write(number.toString(16).padStart(64, '0'), 32, 'hex');
  return `${header}.${payload}.${bytes.toString('base64url')}`;
}

/** The signature format of a program that keeps both halves of an ES256 signature apart. */
function canonical(token: string, alg: string): string {
  return alg === 'ES256' ? withNumber(token, (s) => (s > ORDER / 2n ? ORDER - s : s)) : token;
}

describe.each(tokenAlgorithms)('a token with %s', (alg) => {
  let key: SigningKey;
  let otherKey: SigningKey;
  let tokens: AccessTokens;
  const verify = (token: string) => tokens.verify(token, NOW);
  beforeAll(async () => {
    [key, otherKey] = [await makeKey(alg), await makeKey(alg)];
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
      expect(verify(canonical(token, alg))).toEqual(CLAIMS);
    }
  });

  it('is rejected if another key signed it, with whichever key id', () => {
    expect(verify(tokensOf(otherKey).sign(WHO, NOW))).toBeUndefined();
    expect(verify(signed({ alg, kid: key.kid }, otherKey))).toBeUndefined();
    expect(verify(signed({ alg }, otherKey))).toBeUndefined();
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

  it('is rejected with other trailing bits in its last character', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const token = tokens.sign(WHO, NOW);
    const last = alphabet.indexOf(token.slice(-1));
    const spellings = [1, 2, 3].map((bits) => token.slice(0, -1) + alphabet.charAt(last ^ bits));
    expect(spellings.map(verify)).toEqual([undefined, undefined, undefined]);
  });

  it('is rejected once its key was replaced, although it had been accepted', () => {
    const turned = tokensOf(key);
    const token = turned.sign(WHO, NOW);
    expect(turned.verify(token, NOW)).toMatchObject(WHO);
    turned.useKeys([otherKey, key]);
    expect(turned.verify(token, NOW)).toMatchObject(WHO);
    expect(turned.verify(turned.sign(WHO, NOW), NOW)).toMatchObject(WHO);
    turned.useKeys([otherKey]);
    expect(turned.verify(token, NOW)).toBeUndefined();
  });
});

describe('the second number of a signature', () => {
  it('of ES256 has one spelling: the lower one is signed, and the other refused, which jose accepts', async () => {
    const key = await makeKey('ES256');
    const tokens = tokensOf(key);
    for (let count = 0; count < 20; count += 1) {
      const token = tokens.sign({ ...WHO, sid: String(count) }, NOW);
      expect(tokens.verify(token, NOW)).toMatchObject(WHO);
      expect(withNumber(token, (s) => (s > ORDER / 2n ? -1n : s))).toBe(token);
      const malleated = withNumber(token, (s) => ORDER - s);
      await jwtVerify(malleated, key.verifier, { currentDate: new Date(NOW) });
      expect(tokens.verify(malleated, NOW)).toBeUndefined();
    }
  });

  it.each([0n, ORDER, ORDER + 1n, 2n ** 256n - 1n])('of ES256 is not %d', async (number) => {
    const tokens = tokensOf(await makeKey('ES256'));
    expect(
      tokens.verify(
        withNumber(tokens.sign(WHO, NOW), () => number),
        NOW,
      ),
    ).toBeUndefined();
  });

  it('of EdDSA has one spelling', async () => {
    const tokens = tokensOf(await makeKey('EdDSA'));
    const reversed = (number: bigint) =>
      BigInt(
        `0x${Buffer.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toReversed()).toString('hex')}`,
      );
    const token = tokens.sign(WHO, NOW);
    expect(tokens.verify(token, NOW)).toMatchObject(WHO);
    for (const times of [1n, 2n, 3n]) {
      const malleated = withNumber(token, (s) => reversed(reversed(s) + times * ORDER_25519));
      expect(tokens.verify(malleated, NOW)).toBeUndefined();
    }
  });
});

describe('keys of several algorithms', () => {
  it('verify their own tokens alone', async () => {
    const keys = await Promise.all(tokenAlgorithms.map(makeKey));
    const all = tokensOf(...keys);
    for (const key of keys) {
      expect(all.verify(tokensOf(key).sign(WHO, NOW), NOW)).toMatchObject(WHO);
      for (const otherKey of keys.filter((candidate) => candidate !== key))
        expect(all.verify(signed({ alg: key.algorithm, kid: key.kid }, otherKey), NOW)).toBeUndefined();
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
