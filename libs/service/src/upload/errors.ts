import { STATUS_CODES } from 'node:http';
import { type ErrorReply, HttpError } from '@app/http-errors';

/** Files that are rejected, or could not be stored. */
export class UploadError extends HttpError {
  override readonly name = 'UploadError';
  readonly reply: ErrorReply;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(`${STATUS_CODES[status]}: ${message}`, options);
    this.reply = { status, message };
  }
}

/** The errors of uploads, by what is wrong. */
export const uploadErrors = {
  notMultipart: () => new UploadError(415, 'send the body as multipart/form-data, without Content-Encoding'),
  malformed: (cause: unknown) =>
    new UploadError(400, 'the body must be valid multipart/form-data', { cause }),
  otherType: (field: string, types: readonly string[]) =>
    new UploadError(415, `${field} must be a file of one of these types: ${types.join(', ')}`),
  fileTooLarge: (field: string, maxBytes: number) =>
    new UploadError(413, `${field} must not be larger than ${maxBytes} bytes`),
  fieldsTooLarge: () => new UploadError(413, 'the fields of the form are too large, or too many'),
  missing: (field: string) => new UploadError(422, `send a file in the field ${field}`),
  tooMany: (field: string, maxFiles: number) =>
    new UploadError(422, `${field} must not have more than ${maxFiles} ${maxFiles === 1 ? 'file' : 'files'}`),
  /** The disk is full or read-only, or the store of the application failed. */
  storeFailed: (cause: unknown) =>
    new UploadError(503, 'the file cannot be stored, try again shortly', { cause }),
} as const;
