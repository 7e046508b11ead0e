import { createHmac, timingSafeEqual } from 'node:crypto';
import { setting } from '@app/settings';
import { SettingsError } from '../settings/errors';
import { InvalidSignatureError } from './errors';
import type { Headers, SignatureScheme } from './schemes';

const leastKeyBytes = 16;
const timeForm = /^\d{1,12}$/;
const eventIdForm = /^[\x21-\x7e]{1,255}$/;

/** The event ids of requests with a verified signature. */
const eventIds = new WeakMap<object, string>();

/** Declares the setting with the secrets of a sender, with commas between them. All are valid, so that you can rotate them. */
export function webhookSecrets() {
  return setting(readSecrets, 'must be secrets with commas between them')
    .optional()
    .meta({ secret: true, examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] });
}

function readSecrets(text: string): readonly string[] | undefined {
  const secrets = text.split(',').map((secret) => secret.trim());
  return secrets.includes('') ? undefined : secrets;
}

/** Verifies the signatures of a route's requests. */
export class Signature {
  private readonly keys: readonly Buffer[];

  /** @throws SettingsError without secrets, or with a secret that can be guessed */
  constructor(
    private readonly scheme: SignatureScheme,
    settings: Readonly<Record<string, unknown>>,
    route: string,
  ) {
    const { secret: name } = scheme;
    const secrets = settings[name];
    if (!Array.isArray(secrets))
      throw new SettingsError([{ name, problem: `is not set, and ${route} verifies signatures with it.` }]);
    this.keys = secrets.map((secret) => scheme.keyOf(String(secret)));
    if (this.keys.some(({ length }) => length < leastKeyBytes))
      throw new SettingsError([{ name, problem: `must have secrets of at least ${leastKeyBytes} bytes.` }]);
  }

  /**
   * Verifies a request before its body is parsed, and then keeps the id of its event.
   *
   * @throws InvalidSignatureError
   */
  read(request: { readonly headers: Headers }, bytes: Buffer, parse: (bytes: Buffer) => unknown): unknown {
    if (!this.verifies(request.headers, bytes)) throw new InvalidSignatureError();
    const body = parse(bytes);
    const id = this.scheme.eventIdOf(request.headers, body);
    if (typeof id !== 'string' || !eventIdForm.test(id)) throw new InvalidSignatureError();
    eventIds.set(request, id);
    return body;
  }

  private verifies(headers: Headers, bytes: Buffer): boolean {
    const { at = '', prefix, digests } = this.scheme.read(headers);
    const { toleranceSeconds } = this.scheme;
    if (toleranceSeconds !== undefined && !isWithin(toleranceSeconds, at)) return false;
    const expected = this.keys.map((key) => createHmac('sha256', key).update(prefix).update(bytes).digest());
    return digests.some((digest) => expected.some((own) => timingSafeEqual(digest, own)));
  }
}

function isWithin(seconds: number, at: string): boolean {
  return timeForm.test(at) && Math.abs(Date.now() / 1000 - Number(at)) <= seconds;
}

/**
 * Returns the id of a verified request's event.
 *
 * @throws InvalidSignatureError for a request that was not verified, such as a request without a body
 */
export function verifiedEventId(request: object): string {
  const id = eventIds.get(request);
  if (id === undefined) throw new InvalidSignatureError();
  return id;
}
