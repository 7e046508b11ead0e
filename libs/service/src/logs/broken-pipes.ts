/**
 * Ignores `EPIPE` on standard output and standard error. Without a listener, the first write after a log shipper or a
 * terminal has exited would end the process.
 */
export function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
