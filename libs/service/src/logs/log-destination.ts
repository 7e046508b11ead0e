import { closeSync, openSync } from 'node:fs';
import { type DestinationStream, destination } from 'pino';
import { LogFileError } from './errors';

/** How long a batched line waits, and how much text a batch has. */
const maxWaitMs = 20;
const batchLength = 8 * 1024;
/** If the reader of the log stalls, lines are buffered up to this size and then dropped. */
const maxBufferedBytes = 16 * 1024 * 1024;
/** Readable by the owner and the group: log lines have addresses of clients. */
const fileMode = 0o640;

/** Where the lines of a log go. Writes are asynchronous. */
export interface LogDestination extends DestinationStream {
  /** Writes a line within 20 ms, in order with other lines: each write wakes a thread, which costs more than a request. */
  batch(line: string): void;
  flush(done: () => void): void;
  reopen(): void;
  on(event: 'error' | 'drain', listener: () => void): unknown;
}

/**
 * Opens standard output, or a file to append to.
 *
 * @throws LogFileError if the file cannot be opened
 */
export function openLogDestination(file: string | undefined): LogDestination {
  if (file !== undefined) refuseUnwritable(file);
  const dest = file ?? process.stdout.fd;
  // A minimum of one byte writes every batch at once; with 0, flush would call back before the write.
  return batchLines(
    destination({
      dest,
      mode: fileMode,
      sync: false,
      minLength: 1,
      maxLength: maxBufferedBytes,
    }),
  );
}

/** Adds batches to a destination. */
export function batchLines(stream: Omit<LogDestination, 'batch'>): LogDestination {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const writeBatch = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  return {
    batch(line) {
      lines += line;
      if (lines.length > batchLength) writeBatch();
      else timer ??= setTimeout(writeBatch, maxWaitMs);
    },
    write(line) {
      lines += line;
      writeBatch();
    },
    flush(done) {
      writeBatch();
      stream.flush(done);
    },
    reopen: () => stream.reopen(),
    on: (event, listener) => stream.on(event, listener),
  };
}

/** The destination opens the file later, and reports a failure as an event. */
function refuseUnwritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', fileMode));
  } catch (cause) {
    throw new LogFileError(file, cause);
  }
}
