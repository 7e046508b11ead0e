import type { Readable } from 'node:stream';

/** Passes on whole lines, so that the lines of several processes are not mixed in one log. */
export function copyLines(from: Readable, write: (lines: string) => void): void {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (chunk: string) => {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) write(rest + chunk.slice(0, end));
    rest = (end > 0 ? '' : rest) + chunk.slice(end);
  });
  from.on('end', () => {
    if (rest !== '') write(`${rest}\n`);
  });
}
