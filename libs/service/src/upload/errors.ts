import { STATUS_CODES } from 'node:http';
import { type ErrorReply, HttpError, jsonPointer, type ProblemType, problemType } from '@app/http-errors';

/** Files that are rejected, or could not be stored. */
export class UploadError extends HttpError {
  override readonly name = 'UploadError';
  readonly reply: ErrorReply;

  constructor(problem: ProblemType, message: string, facts: UploadFacts = {}) {
    const { status } = problem;
    super(`${STATUS_CODES[status]}: ${message}`, { cause: facts.cause });
    this.reply = { status, message, problem, params: facts.params, inputProblems: facts.inputProblems };
  }
}

/** What is known of an error besides its message. */
type UploadFacts = Pick<ErrorReply, 'params' | 'inputProblems'> & { readonly cause?: unknown };

/** The kinds of these errors. */
export const uploadProblems = {
  notMultipart: problemType({
    code: 'not-a-form',
    status: 415,
    title: 'The body is not a form',
    remedy: 'Send the body as `multipart/form-data`, without `Content-Encoding`.',
  }),
  malformed: problemType({
    code: 'malformed-form',
    status: 400,
    title: 'The body is not a valid form',
    remedy: 'Leave the body and its boundary to the HTTP library.',
  }),
  otherType: problemType({
    code: 'wrong-file-type',
    status: 415,
    title: 'The file is of another type than the route accepts',
    remedy: 'Send a file of one of `params.types`. Its first bytes count, not its name.',
    namesMembers: true,
    params: { field: 'string', types: 'strings' },
  }),
  fileTooLarge: problemType({
    code: 'file-too-large',
    status: 413,
    title: 'The file is too large',
    remedy: 'Send a file of at most `params.maxBytes` bytes.',
    namesMembers: true,
    params: { field: 'string', maxBytes: 'integer' },
  }),
  fieldsTooLarge: problemType({
    code: 'form-too-large',
    status: 413,
    title: 'The fields of the form are too large, or too many',
    remedy: 'Send only the fields that the route declares.',
  }),
  missing: problemType({
    code: 'file-missing',
    status: 422,
    title: 'The form has no file',
    remedy: 'Send a file in the field `params.field`.',
    namesMembers: true,
    params: { field: 'string' },
  }),
  tooMany: problemType({
    code: 'too-many-files',
    status: 422,
    title: 'The form has too many files',
    remedy: 'Send at most `params.maxFiles` files.',
    namesMembers: true,
    params: { field: 'string', maxFiles: 'integer' },
  }),
  storeFailed: problemType({
    code: 'file-not-stored',
    status: 503,
    title: 'The file cannot be stored at present',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  }),
} as const;

/** The errors of uploads, by what is wrong. */
export const uploadErrors = {
  notMultipart: () =>
    new UploadError(
      uploadProblems.notMultipart,
      'send the body as multipart/form-data, without Content-Encoding',
    ),
  malformed: (cause: unknown) =>
    new UploadError(uploadProblems.malformed, 'the body must be valid multipart/form-data', { cause }),
  otherType: (field: string, types: readonly string[]) =>
    errorOf(
      field,
      uploadProblems.otherType,
      `${field} must be a file of one of these types: ${types.join(', ')}`,
      { types },
    ),
  fileTooLarge: (field: string, maxBytes: number) =>
    errorOf(field, uploadProblems.fileTooLarge, `${field} must not be larger than ${maxBytes} bytes`, {
      maxBytes,
    }),
  fieldsTooLarge: () =>
    new UploadError(uploadProblems.fieldsTooLarge, 'the fields of the form are too large, or too many'),
  missing: (field: string) => errorOf(field, uploadProblems.missing, `send a file in the field ${field}`, {}),
  tooMany: (field: string, maxFiles: number) =>
    errorOf(
      field,
      uploadProblems.tooMany,
      `${field} must not have more than ${maxFiles} ${maxFiles === 1 ? 'file' : 'files'}`,
      { maxFiles },
    ),
  /** The disk is full or read-only, or the store of the application failed. */
  storeFailed: (cause: unknown) =>
    new UploadError(uploadProblems.storeFailed, 'the file cannot be stored, try again shortly', { cause }),
} as const;

/** An error about one field of the form. */
function errorOf(
  field: string,
  problem: ProblemType,
  detail: string,
  facts: NonNullable<ErrorReply['params']>,
): UploadError {
  const params = { field, ...facts };
  const one = { in: 'body' as const, pointer: jsonPointer([field]), code: problem.code, params, detail };
  const inputProblems = () => ({ listed: [one], omitted: 0 });
  return new UploadError(problem, detail, { params, inputProblems });
}
