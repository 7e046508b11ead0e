/** The error for a `LOG_FILE` that cannot be written. It aborts the start. `cause` is the system's error. */
export class LogFileError extends Error {
  override readonly name = 'LogFileError';

  constructor(
    readonly file: string,
    cause: unknown,
  ) {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    super(`the log file ${file} cannot be written${code}. Create its folder, or correct LOG_FILE.`, {
      cause,
    });
  }
}
