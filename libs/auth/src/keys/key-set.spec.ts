import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { makeKey } from './key-file';
import { publicJwks, readKeySet, writeKeySet } from './key-set';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const ed = generateKeyPairSync('ed25519').privateKey;
const pem = (key: KeyObject, type: 'pkcs8' | 'sec1' = 'pkcs8') => key.export({ type, format: 'pem' });
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const algorithmsOf = async (text: string) => (await readKeySet(text)).map(({ algorithm }) => algorithm);

describe('a key set', () => {
  it('is read as it was written, in its order', async () => {
    const keys = [await makeKey('EdDSA'), await makeKey('HS256'), await makeKey('ES256')];
    const read = await readKeySet(await writeKeySet(keys));
    expect(read.map(({ algorithm, kid }) => [algorithm, kid])).toEqual(
      keys.map(({ algorithm, kid }) => [algorithm, kid]),
    );
    expect(read.every(({ key }, at) => key.equals(keys[at]?.key ?? key))).toBe(true);
  });

  it.each([
    ['one JWK', JSON.stringify(jwk(ec)), ['ES256']],
    ['a JWK Set', JSON.stringify({ keys: [jwk(ed), jwk(ec)] }), ['EdDSA', 'ES256']],
    ['a secret', JSON.stringify({ kty: 'oct', k: randomBytes(32).toString('base64url') }), ['HS256']],
    ['PEM in PKCS #8', pem(ec), ['ES256']],
    ['PEM in SEC 1', pem(ec, 'sec1'), ['ES256']],
    ['several PEM, with text between', `new:\n${pem(ed)}\nold:\n${pem(ec)}`, ['EdDSA', 'ES256']],
  ])('is read from %s', async (_, text, algorithms) => {
    expect(await algorithmsOf(text)).toEqual(algorithms);
  });

  it('names a key by its thumbprint, unless it has a name', async () => {
    const [unnamed] = await readKeySet(JSON.stringify(jwk(ec)));
    expect(unnamed?.kid).toMatch(/^[\w-]{43}$/);
    expect((await readKeySet(pem(ec)))[0]?.kid).toBe(unnamed?.kid);
    expect((await readKeySet(JSON.stringify({ ...jwk(ec), kid: 'ours' })))[0]?.kid).toBe('ours');
  });

  it.each([
    ['nothing', '', 'neither a JWK Set nor PEM'],
    ['other text', 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG', 'neither a JWK Set nor PEM'],
    ['other JSON', '"keys"', 'neither a JWK Set nor PEM'],
    ['no key', '{"keys":[]}', 'has no key'],
    ['keys that are no objects', '{"keys":[null]}', 'neither a JWK Set nor PEM'],
    ['a public key', JSON.stringify(jwk(createPublicKey(ec))), 'no private key'],
    ['an RSA key', pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey), 'neither of P-256'],
    ['another curve', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey), 'neither of P-256'],
    ['another alg', JSON.stringify({ ...jwk(ec), alg: 'EdDSA' }), 'whose alg is another'],
    ['a short secret', '{"kty":"oct","k":"c2hvcnQ"}', 'at least 32 bytes'],
    ['one key twice', JSON.stringify({ keys: [jwk(ec), jwk(ec)] }), 'two keys with one kid'],
    ['a damaged PEM', pem(ec).replace(/[\w+/]{20}\n/, 'AAAA\n'), 'no private key'],
  ])('is not read from %s', async (_, text, fault) => {
    const error = await readKeySet(text).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(fault);
  });

  it('has no private member when it is published', async () => {
    const published = await publicJwks([await makeKey('ES256'), await makeKey('EdDSA')]);
    expect(published.map((key) => Object.keys(JSON.parse(JSON.stringify(key))).toSorted())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    ]);
  });
});
