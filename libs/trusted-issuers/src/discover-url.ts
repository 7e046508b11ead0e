import { FetchFailedError, isUrlOf } from '@app/auth';
import { fetchJson } from './fetch-json';

/**
 * Reads a URL from an issuer's metadata.
 *
 * @param member such as `jwks_uri`
 * @throws FetchFailedError if the metadata or an HTTPS URL is missing
 * @see OpenID Connect Discovery §4.3, RFC 8414 §3.3: metadata that names a different issuer is rejected
 */
export async function discoverUrl(issuer: string, member: string, timeoutMs?: number): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const metadata = await fetchJson(url, timeoutMs);
    if (metadata === undefined) continue;
    if (metadata.issuer !== issuer) throw new FetchFailedError(`${url} names another issuer`);
    const { [member]: value } = metadata;
    if (typeof value !== 'string' || !isUrlOf(issuer, value))
      throw new FetchFailedError(`${url} has no ${member} by HTTPS`);
    return value;
  }
  throw new FetchFailedError(`${issuer} has no metadata`);
}

/** The second for an issuer that is no OpenID provider. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}
