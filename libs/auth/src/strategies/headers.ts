/**
 * Whether a header occurs exactly once. Of repeated headers Node keeps the first or joins them, while a reverse proxy may
 * have evaluated another one.
 *
 * @param name       in lower case
 * @param rawHeaders alternating names and values, as in `IncomingMessage.rawHeaders`
 */
export function isSentOnce(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count === 1;
}
