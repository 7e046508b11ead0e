import { closeSync, openSync } from 'node:fs';
import { destination } from 'pino';
import { LogFileError } from './errors';

/** If the reader of the log stalls, lines are buffered up to this size and then dropped. */
const maxBufferedBytes = 16 * 1024 * 1024;
/** Readable by the owner and the group: log lines have addresses of clients. */
const fileMode = 0o640;

/** Where the lines of a log go, as bytes, which are not changed afterwards. Writes are asynchronous. */
export interface LogStream {
  readonly write: (bytes: Uint8Array) => void;
  readonly flush: (done: () => void) => void;
  readonly reopen: () => void;
  readonly on: (event: 'error' | 'drain', listener: () => void) => void;
}

/**
 * Opens standard output, or a file to append to.
 *
 * @throws LogFileError if the file cannot be opened
 */
export function openLogStream(file: string | undefined): LogStream {
  // A minimum of one byte writes every line at once; with 0, flush would call back before the write.
  const options = { sync: false, minLength: 1, maxLength: maxBufferedBytes, contentMode: 'buffer' } as const;
  if (file === undefined) return bytesTo(destination({ ...options, fd: process.stdout.fd }));
  refuseUnwritable(file);
  return bytesTo(destination({ ...options, dest: file, append: true, mode: fileMode }));
}

/** Its type knows text alone, which would be encoded once more with each write. */
function bytesTo(stream: ReturnType<typeof destination>): LogStream {
  return {
    // pino replaces the method once a pipe is broken.
    write: (bytes) => void Reflect.apply(Reflect.get(stream, 'write'), stream, [bytes]),
    flush: (done) => stream.flush(done),
    reopen: () => stream.reopen(),
    on: (event, listener) => void stream.on(event, listener),
  };
}

/** The stream opens it later, and reports a failure as an event. */
function refuseUnwritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', fileMode));
  } catch (cause) {
    throw new LogFileError(file, cause);
  }
}
