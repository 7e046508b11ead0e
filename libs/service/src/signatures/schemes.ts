import type { SenderSignature } from '@app/contract';

/** The header fields of a request. */
export type Headers = Readonly<Record<string, unknown>>;

/** The parts of a request that its sender signed, besides the body. */
export interface Signed {
  /** The seconds since 1970, as text; `undefined` if they are missing. */
  readonly at?: string;
  /** The text that the sender signed before the body. */
  readonly prefix: string;
  /** The HMAC-SHA256 digests that the sender sent. A sender that rotates its secret sends several. */
  readonly digests: readonly Buffer[];
}

/** A way in which senders sign webhooks with HMAC-SHA256. */
export interface SignatureScheme extends SenderSignature {
  /** The name of the setting with the secrets. */
  readonly secret: string;
  /** The most seconds between the signature and its arrival, in both directions; `undefined` if the scheme signs no time. */
  readonly toleranceSeconds?: number;
  /** Returns the key that a secret encodes. */
  keyOf(secret: string): Buffer;
  read(headers: Headers): Signed;
  /** Returns the id of the event, which is the same in every delivery. */
  eventIdOf(headers: Headers, body: unknown): unknown;
}

/** The options of a scheme. */
export interface SchemeOptions {
  /** The name of the setting with the secrets, which a plugin declares by `webhookSecrets()`. */
  readonly secret: string;
}

/** The options of a scheme that signs the time. */
export interface TimedSchemeOptions extends SchemeOptions {
  /** The most seconds between the signature and its arrival, in both directions. Default 300. */
  readonly toleranceSeconds?: number;
}

const hexDigest = /^[\da-f]{64}$/;
const base64Digest = /^[A-Za-z\d+/]{43}=$/;

/** Stripe's scheme: `Stripe-Signature: t=1492774577,v1=5257a8…`. @see https://docs.stripe.com/webhooks/signature */
export function stripe({ secret, toleranceSeconds = 300 }: TimedSchemeOptions): SignatureScheme {
  return {
    scheme: 'stripe',
    header: 'Stripe-Signature',
    secret,
    toleranceSeconds,
    keyOf: (text) => Buffer.from(text),
    read: (headers) => {
      const parts = fieldOf(headers, 'stripe-signature').split(',');
      const valuesOf = (name: string) =>
        parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
      const [at] = valuesOf('t=');
      return { at, prefix: `${at}.`, digests: digestsIn(valuesOf('v1='), hexDigest, 'hex') };
    },
    eventIdOf: (_headers, body) => Reflect.get(Object(body), 'id'),
  };
}

/**
 * GitHub's scheme: `X-Hub-Signature-256: sha256=757107…`. GitHub signs neither the time nor the id of the delivery, so the
 * signature itself identifies the event: a copied request with a new `X-GitHub-Delivery` has no second effect.
 *
 * @see https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function github({ secret }: SchemeOptions): SignatureScheme {
  return {
    scheme: 'github',
    header: 'X-Hub-Signature-256',
    secret,
    keyOf: (text) => Buffer.from(text),
    read: (headers) => {
      const [, digest = ''] = /^sha256=(.*)$/.exec(fieldOf(headers, 'x-hub-signature-256')) ?? [];
      return { prefix: '', digests: digestsIn([digest], hexDigest, 'hex') };
    },
    eventIdOf: (headers) => headers['x-hub-signature-256'],
  };
}

/** The scheme of Standard Webhooks, with secrets such as `whsec_MfKQ9r8G…`. @see https://www.standardwebhooks.com */
export function standardWebhooks({ secret, toleranceSeconds = 300 }: TimedSchemeOptions): SignatureScheme {
  return {
    scheme: 'standard-webhooks',
    header: 'Webhook-Signature',
    secret,
    toleranceSeconds,
    keyOf: (text) => Buffer.from(text.replace(/^whsec_/, ''), 'base64'),
    read: (headers) => {
      const at = fieldOf(headers, 'webhook-timestamp');
      const signatures = fieldOf(headers, 'webhook-signature').split(' ');
      const values = signatures.filter((part) => part.startsWith('v1,')).map((part) => part.slice(3));
      const prefix = `${fieldOf(headers, 'webhook-id')}.${at}.`;
      return { at, prefix, digests: digestsIn(values, base64Digest, 'base64') };
    },
    eventIdOf: (headers) => headers['webhook-id'],
  };
}

function fieldOf(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function digestsIn(values: readonly string[], form: RegExp, encoding: 'hex' | 'base64'): Buffer[] {
  return values.filter((value) => form.test(value)).map((value) => Buffer.from(value, encoding));
}
