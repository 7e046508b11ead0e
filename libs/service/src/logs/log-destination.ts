import { closeSync, openSync } from 'node:fs';
import { type DestinationStream, destination } from 'pino';
import { LogFileError } from './errors';

/** The longest wait of a batched line, and the length at which a batch is written. */
const maxWaitMs = 20;
const batchLength = 8 * 1024;
/** The maximum size of the buffer while the log's reader stalls. Further lines are dropped. */
const maxBufferedBytes = 16 * 1024 * 1024;
/** The file mode: readable by the owner and the group, because log lines contain client addresses. */
const fileMode = 0o640;

/** The destination of log lines. Writes are asynchronous. */
export interface LogDestination extends DestinationStream {
  /** Writes a line within 20 ms, in order. It is batched because a write wakes a thread, which costs more than a request. */
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

/** Refuses a file that cannot be written. The destination opens the file later and would report a failure only as an event. */
function refuseUnwritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', fileMode));
  } catch (cause) {
    throw new LogFileError(file, cause);
  }
}
