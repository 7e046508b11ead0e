import { createHash } from 'node:crypto';
import { FairPlaces } from '../remote/fair-places';
import { FetchFailedError, fetchText } from '../remote/fetch-text';

/**
 * Returns whether a password is in a breach. It also returns `false` if the answer is unknown.
 *
 * @param origin the user's address, for a fair share of the lookups
 */
export type IsBreached = (password: string, origin?: string) => Promise<boolean>;

/** A sign-up waits so long at most. */
const TIMEOUT_MS = 1_000;
const PREFIX_CHARACTERS = 5;

/** Options of {@link breachedPasswords}. */
export interface BreachedPasswordsOptions {
  /** The URL that precedes the prefix, such as `https://api.pwnedpasswords.com/range`. */
  readonly url: string;
  /** Called with the reason why a lookup failed. */
  readonly onFailure: (error: unknown) => void;
  readonly timeoutMs?: number;
}

/**
 * Looks passwords up by the k-anonymity range protocol. The service receives the first 5 of the 40 hexadecimal digits in the
 * password's SHA-1, which some thousand passwords share. It returns the remaining digits for each breached password that it
 * knows. The response is padded, so that its size reveals nothing on the way.
 *
 * While the service is unavailable or has too many waiting requests, every password is accepted, so that users can still sign
 * up.
 */
export function breachedPasswords({
  url,
  onFailure,
  timeoutMs = TIMEOUT_MS,
}: BreachedPasswordsOptions): IsBreached {
  const headers = { 'Add-Padding': 'true' };
  const places = new FairPlaces();
  return async (password, origin = '') => {
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
    const [prefix, rest] = [digest.slice(0, PREFIX_CHARACTERS), digest.slice(PREFIX_CHARACTERS)];
    try {
      const range = places.hold(origin, () => fetchText(`${url}/${prefix}`, { headers, timeoutMs }));
      if (range === undefined) throw new FetchFailedError('too many requests wait for the service');
      return hasBreach((await range) ?? '', rest);
    } catch (error) {
      onFailure(error);
      return false;
    }
  };
}

/** Reads lines such as `0018A45C4D1DEF81644B54AB7F969B88D65:10`. Padding lines have the count 0. */
function hasBreach(range: string, rest: string): boolean {
  return range.split('\n').some((line) => {
    const [suffix, times] = line.trim().split(':');
    return suffix === rest && Number(times) > 0;
  });
}
