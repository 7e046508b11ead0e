/**
 * Whether a header stands in the request exactly once. Node keeps the first of two such headers or joins them; a proxy
 * before us may have judged the other.
 *
 * @param name       in lower case
 * @param rawHeaders names and values in turn, as they came
 */
export function isSentOnce(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count === 1;
}
