import { createHash } from 'node:crypto';
import { FairPlaces } from '../remote/fair-places';
import { FetchFailedError, fetchText } from '../remote/fetch-text';

/**
 * Whether a password is in a breach; `false` as well if that is not known.
 *
 * @param origin who sets it, for a fair share of the lookups
 */
export type IsBreached = (password: string, origin?: string) => Promise<boolean>;

/** A sign-up waits so long at most. */
const TIMEOUT_MS = 1_000;
const PREFIX_CHARACTERS = 5;

/** Where breached passwords are looked up. */
export interface BreachedPasswordsOptions {
  /** Such as `https://api.pwnedpasswords.com/range`. */
  readonly url: string;
  /** Called with why a password could not be looked up. */
  readonly onFailure: (error: unknown) => void;
  readonly timeoutMs?: number;
}

/**
 * Looks passwords up by the k-anonymity range protocol: the service is sent the first five of the forty hexadecimal digits of the
 * password's SHA-1, which some thousand passwords share, and sends the rest of those it knows. The response is padded, so that its
 * size says nothing to who sees it on the way.
 *
 * While the service is unavailable, or too many requests wait for it, no password is rejected: it must not keep users from signing up.
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

/** Lines such as `0018A45C4D1DEF81644B54AB7F969B88D65:10`; those of the padding were found 0 times. */
function hasBreach(range: string, rest: string): boolean {
  return range.split('\n').some((line) => {
    const [suffix, times] = line.trim().split(':');
    return suffix === rest && Number(times) > 0;
  });
}
