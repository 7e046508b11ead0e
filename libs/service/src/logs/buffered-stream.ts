import type { DestinationStream } from 'pino';
import type { LogStream } from './log-stream';

/** A stream of lines, some of which may be buffered for a short time. */
export interface BufferedStream extends DestinationStream {
  /** Buffers a line. The order of lines is kept: `write` flushes the buffer first. */
  buffer(line: string): void;
  /** Writes what is buffered. */
  flush(): void;
}

/** How long a line is buffered at most, and the size of the buffer. */
const maxWaitMs = 20;
const bufferBytes = 64 * 1024;
/** UTF-8 bytes per UTF-16 code unit. */
const maxBytesPerUnit = 3;

/**
 * Batches frequent lines: each write wakes a thread, which costs more than handling a request. The buffer holds bytes: a
 * string that grows by appending is a rope, which would have to be flattened when it is written.
 *
 * @param to an unbuffered stream, which may keep the bytes
 */
export function bufferLines(to: Pick<LogStream, 'write'>): BufferedStream {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    const lines = Buffer.from(buffer.subarray(0, length));
    length = 0;
    to.write(lines);
  };
  const write = (line: string): void => {
    flush();
    to.write(Buffer.from(line));
  };
  return {
    flush,
    buffer(line) {
      const maxBytes = line.length * maxBytesPerUnit;
      if (maxBytes > bufferBytes) return write(line);
      if (length + maxBytes > bufferBytes) flush();
      length += buffer.write(line, length);
      timer ??= setTimeout(flush, maxWaitMs);
    },
    write,
  };
}

/** Writes lines buffered, if the stream supports it. */
export function writeBuffered(stream: DestinationStream): (line: string) => void {
  return isBuffered(stream) ? (line) => stream.buffer(line) : (line) => stream.write(line);
}

function isBuffered(stream: DestinationStream | BufferedStream): stream is BufferedStream {
  return 'buffer' in stream;
}
