/**
 * Returns whether a header occurs exactly once. Node keeps the first value of a repeated header or joins the values, while a
 * reverse proxy may have evaluated a different value.
 *
 * @param name in lower case
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
