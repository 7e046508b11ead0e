import { closeSync, openSync } from 'node:fs';
import { destination } from 'pino';
import { LogFileError } from './errors';

/** If the reader of the log stalls, lines are buffered up to this size and then dropped. */
const maxBufferedBytes = 16 * 1024 * 1024;
/** Readable by the owner and the group: log lines have addresses of clients. */
const fileMode = 0o640;

/** Where the lines of a log go. Writes are asynchronous. */
export type LogStream = ReturnType<typeof destination>;

/**
 * Opens standard output, or a file to append to.
 *
 * @throws LogFileError if the file cannot be opened
 */
export function openLogStream(file: string | undefined): LogStream {
  // A minimum of one byte writes every line at once; with 0, flush would call back before the write.
  const options = { sync: false, minLength: 1, maxLength: maxBufferedBytes };
  if (file === undefined) return destination({ ...options, fd: process.stdout.fd });
  refuseUnwritable(file);
  return destination({ ...options, dest: file, append: true, mode: fileMode });
}

/** The stream opens it later, and reports a failure as an event. */
function refuseUnwritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', fileMode));
  } catch (cause) {
    throw new LogFileError(file, cause);
  }
}
