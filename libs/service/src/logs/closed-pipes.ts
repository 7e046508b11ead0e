/**
 * Lets the process outlive the readers of its output. Without a listener, the first write after a log shipper
 * or a terminal went away ends the process with `EPIPE`.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
