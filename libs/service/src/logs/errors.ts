/** The file of `LOG_FILE` cannot be written. Aborts the start; `cause` is the system's error. */
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
