import type { DestinationStream } from 'pino';

/** A stream of lines of which some may wait a moment for others. */
export interface BufferedStream extends DestinationStream {
  /** Takes a line that may wait; it is written before any line that may not, and in order. */
  gather(line: string): void;
  /** Hands on what waits. */
  handOn(): void;
}

/** How long a line may wait for others, in milliseconds, and how much may wait, in bytes. */
const maxWaitMs = 20;
const maxWaiting = 64 * 1024;
/** Of one UTF-16 unit in UTF-8. */
const mostBytes = 3;

/**
 * Lets lines of little weight go out together: each write wakes a thread, which costs more than to answer a request. What
 * waits is bytes: a text that grows by appending is a tree of its pieces, which would have to be walked when it goes out.
 *
 * @param to where lines go; nothing is waited for there
 */
export function bufferLines(to: DestinationStream): BufferedStream {
  const waiting = Buffer.allocUnsafe(maxWaiting);
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const handOn = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting.toString('utf8', 0, length);
    length = 0;
    to.write(lines);
  };
  const write = (line: string): void => {
    handOn();
    to.write(line);
  };
  return {
    handOn,
    gather(line) {
      const most = line.length * mostBytes;
      if (most > maxWaiting) return write(line);
      if (length + most > maxWaiting) handOn();
      length += waiting.write(line, length);
      timer ??= setTimeout(handOn, maxWaitMs);
    },
    write,
  };
}

/** Writes a line that may wait, where the stream lets lines wait. */
export function writeBuffered(stream: DestinationStream): (line: string) => void {
  return gathers(stream) ? (line) => stream.gather(line) : (line) => stream.write(line);
}

function gathers(stream: DestinationStream | BufferedStream): stream is BufferedStream {
  return 'gather' in stream;
}
