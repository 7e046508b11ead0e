const withPort = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\]):\d{1,5}$|^\[([\da-f:.]+)\]$/i;

/**
 * Removes ports and brackets from the addresses of `X-Forwarded-For`. Some proxies (Azure, IIS) add the client's
 * port; all values that are not addresses would be counted as one client.
 */
export function withoutPorts(forwardedFor: string): string {
  if (!/[:[]/.test(forwardedFor)) return forwardedFor;
  return forwardedFor
    .split(',')
    .map((part) => part.trim().replace(withPort, '$1$2$3'))
    .join(', ');
}
