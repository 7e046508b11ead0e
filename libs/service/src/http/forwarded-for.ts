const withPort = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\]):\d{1,5}$|^\[([\da-f:.]+)\]$/i;

/**
 * Removes ports and brackets from the addresses in `X-Forwarded-For`. Some proxies (Azure, IIS) add the client's port. Values
 * with a port are not addresses, so they would all be counted as a single client.
 */
export function withoutPorts(forwardedFor: string): string {
  if (!/[:[]/.test(forwardedFor)) return forwardedFor;
  return forwardedFor
    .split(',')
    .map((part) => part.trim().replace(withPort, '$1$2$3'))
    .join(', ');
}
