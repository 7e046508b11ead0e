import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { z } from 'zod';
import { secretKey, type SigningKey } from '../tokens/token-key';
import type { TokenAlgorithm } from '../tokens/algorithms';

const PEM = /-----BEGIN (?:EC )?PRIVATE KEY-----[\s\S]+?-----END (?:EC )?PRIVATE KEY-----/g;

/**
 * Reads keys from a JSON Web Key Set, a single JSON Web Key, or private keys in PEM after each other.
 *
 * @returns the keys in their order; the first signs, all verify
 * @throws TypeError that names the fault but never the text
 * @see RFC 7517 (JWK), RFC 7638 (thumbprints, the default `kid`)
 */
export async function readKeySet(text: string): Promise<readonly SigningKey[]> {
  const pems = text.match(PEM);
  const keys = await Promise.all(pems === null ? readJwks(text).map(ofJwk) : pems.map(ofPem));
  if (keys.length === 0) throw new TypeError('has no key');
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
    throw new TypeError('has two keys with one kid');
  return keys;
}

/** Writes keys, including their secret parts, in the format that {@link readKeySet} reads. */
export async function writeKeySet(keys: readonly SigningKey[]): Promise<string> {
  const jwks = await Promise.all(
    keys.map(async ({ algorithm: alg, kid, key }) => ({ ...(await exportJWK(key)), kid, alg, use: 'sig' })),
  );
  return `${JSON.stringify({ keys: jwks }, undefined, 2)}\n`;
}

/** The public part of a key. */
export interface PublicJwk {
  /** The key type, `EC` or `OKP`. */
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  /** The second coordinate, for `EC` only. */
  readonly y?: string;
  readonly kid: string;
  readonly alg: TokenAlgorithm;
  readonly use: 'sig';
}

/** Returns the public part of each key, so that third parties can verify tokens. Every key must be asymmetric. */
export async function publicJwks(keys: readonly SigningKey[]): Promise<readonly PublicJwk[]> {
  return Promise.all(
    keys.map(async ({ algorithm: alg, kid, verifier }) => {
      const { kty = '', crv = '', x = '', y } = await exportJWK(verifier);
      return { kty, crv, x, y, kid, alg, use: 'sig' };
    }),
  );
}

/** The key members that we check. Node checks the rest. */
const jwkSchema = z.looseObject({
  kty: z.string().optional(),
  kid: z.string().optional().catch(undefined),
  k: z.string().optional().catch(undefined),
  alg: z.string().optional(),
});
const keySetSchema = z.union([
  z.object({ keys: z.array(jwkSchema) }),
  jwkSchema.extend({ keys: z.undefined().optional() }).transform((jwk) => ({ keys: [jwk] })),
]);

type Jwk = z.infer<typeof jwkSchema>;

function readJwks(text: string): readonly Jwk[] {
  const { data } = keySetSchema.safeParse(parse(text));
  if (data === undefined) throw new TypeError('is neither a JWK Set nor PEM');
  return data.keys;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function ofJwk(jwk: Jwk): Promise<SigningKey> {
  const { kid } = jwk;
  const key =
    jwk.kty === 'oct' && jwk.k !== undefined
      ? secretKey(createSecretKey(jwk.k, 'base64url'), kid)
      : await signingKeyOf(
          imported(() => createPrivateKey({ key: jwk, format: 'jwk' })),
          kid,
        );
  if (jwk.alg !== undefined && jwk.alg !== key.algorithm)
    throw new TypeError(`has a key of ${key.algorithm} whose alg is another`);
  return key;
}

function ofPem(pem: string): Promise<SigningKey> {
  return signingKeyOf(imported(() => createPrivateKey(pem)));
}

/** Hides the OpenSSL error, which may repeat its input. */
function imported(read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    throw new TypeError('has something that is no private key');
  }
}

/** @throws TypeError if no algorithm of tokens has such keys */
export async function signingKeyOf(key: KeyObject, chosenKid?: string): Promise<SigningKey> {
  const verifier = createPublicKey(key);
  const kid = chosenKid ?? (await calculateJwkThumbprint(await exportJWK(verifier)));
  return { algorithm: algorithmOf(key), kid, key, verifier };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): TokenAlgorithm {
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256';
  throw new TypeError('has a key that is neither of P-256 (ES256) nor of Ed25519 (EdDSA)');
}
