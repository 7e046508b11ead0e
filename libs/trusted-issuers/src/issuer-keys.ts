import { FairPlaces, FetchFailedError } from '@app/auth';
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { TrustedIssuerUnavailableError } from './errors';
import { discoverUrl } from './discover-url';
import { fetchJson } from './fetch-json';

/** The pause after each attempt, including failures, so that unknown key ids cause no additional requests to the issuer. */
const REFRESH_EVERY_MS = 60_000;
/** The keys' maximum age. Keys that the issuer has withdrawn are accepted until then. */
const MAX_AGE_MS = 300_000;

/** The pause after a request that found no place to wait. */
const FULL_MS = 1_000;

/** A key set. The library jose checks each member of a key before it uses it. */
const keySetSchema = z.object({ keys: z.array(z.looseObject({})) });

/** Reports an event about an issuer's keys, for the log. */
export type KeysReport = (
  event: { readonly issuer: string } & ({ readonly keys: number } | { readonly failure: string }),
) => void;

/** The public keys of an issuer, found by discovery; kept while the issuer is unavailable. */
export class IssuerKeys {
  /** The keys; `undefined` until the first successful read. */
  private keys: JWTVerifyGetKey | undefined;
  private text = '';
  private triedAt = -Infinity;
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;
  private readonly waiting = new FairPlaces();
  /** The version, which increments when the keys change. Tokens verified by an earlier version are verified again. */
  version = 0;

  /** @param now returns a monotonic clock's milliseconds */
  constructor(
    private readonly issuer: string,
    private readonly report: KeysReport = () => {},
    private readonly now: () => number = () => performance.now(),
    private readonly timeoutMs?: number,
  ) {}

  /**
   * @param address the address that waits
   * @returns `undefined` if the keys could not be read yet
   * @throws TrustedIssuerUnavailableError if too many requests wait for the keys
   */
  async current(address = ''): Promise<JWTVerifyGetKey | undefined> {
    if (this.keys === undefined) await this.waitFor(address);
    else this.touch();
    return this.keys;
  }

  /** Returns the keys after a refresh, for a token with an unknown key. A refresh happens at most once a minute. */
  async newer(address = ''): Promise<JWTVerifyGetKey | undefined> {
    await this.waitFor(address);
    return this.keys;
  }

  /** Starts a refresh in the background if the keys are old. */
  touch(): void {
    if (this.now() - this.readAt > MAX_AGE_MS) void this.refresh();
  }

  /** Milliseconds until the next attempt. */
  get waitMs(): number {
    return Math.max(this.triedAt + REFRESH_EVERY_MS - this.now(), 0);
  }

  private waitFor(address: string): Promise<void> {
    if (this.reading === undefined && this.waitMs > 0) return Promise.resolve();
    const refreshed = this.waiting.hold(address, () => this.refresh());
    return refreshed ?? Promise.reject(new TrustedIssuerUnavailableError(FULL_MS));
  }

  private refresh(): Promise<void> {
    if (this.reading !== undefined) return this.reading;
    if (this.waitMs > 0) return Promise.resolve();
    this.triedAt = this.now();
    this.reading = this.read()
      .catch((error: unknown) => {
        const failure = error instanceof Error ? error.message : String(error);
        this.report({ issuer: this.issuer, failure });
      })
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }

  private async read(): Promise<void> {
    const parsed = await fetchJson(
      await discoverUrl(this.issuer, 'jwks_uri', this.timeoutMs),
      this.timeoutMs,
    );
    const { data } = keySetSchema.safeParse(parsed);
    if (data === undefined) throw new FetchFailedError('the key set has no keys');
    const text = JSON.stringify(data.keys);
    // Throws for keys that are none.
    const keys = createLocalJWKSet(data);
    this.readAt = this.now();
    if (text === this.text) return;
    this.text = text;
    this.keys = keys;
    this.version += 1;
    this.report({ issuer: this.issuer, keys: data.keys.length });
  }
}
