import { httpError } from '@app/http-errors';
import type { BrokenStructureError } from './pictures/arriving-bytes';

export const MultipartRequiredError = httpError('MultipartRequiredError', 415, 'multipart-required', {
  title: 'The body must be a form',
  remedy: 'Send the body as `multipart/form-data`, and omit `Content-Encoding`.',
  reply: 'send the body as multipart/form-data, without Content-Encoding',
});

export const MalformedFormError = httpError('MalformedFormError', 400, 'malformed-form', {
  title: 'The body is an invalid form',
  remedy: 'Leave the body and its boundary to the HTTP library.',
  reply: (cause: unknown) => ({ message: 'the body must be valid multipart/form-data', cause }),
});

export const UnsupportedFileTypeError = httpError('UnsupportedFileTypeError', 415, 'unsupported-file-type', {
  title: 'The route does not accept this type of file',
  remedy:
    'Send a file with a type from `params.types`. Its bytes decide, whatever its name. Save a text as UTF-8.',
  namesMembers: true,
  params: { field: 'string', types: 'strings' },
  reply: (field: string, types: readonly string[], isDeclaredText: boolean) => ({
    message: `${field} must be a file of one of these types: ${types.join(', ')}${isDeclaredText ? '; save as UTF-8 if it is a text' : ''}`,
    params: { field, types },
    members: [[field]],
  }),
});

export const MalformedPictureError = httpError('MalformedPictureError', 422, 'malformed-picture', {
  title: 'The picture is invalid',
  remedy: 'Save the picture again, without data after its end. `detail` names the fault.',
  namesMembers: true,
  params: { field: 'string' },
  reply: (field: string, { message }: BrokenStructureError) => ({
    message: `${field} is not a valid picture: it ${message}`,
    params: { field },
    members: [[field]],
  }),
});

export const FileTooLargeError = httpError('FileTooLargeError', 413, 'file-too-large', {
  title: 'The file is too large',
  remedy: 'Send a file of at most `params.maxBytes` bytes.',
  namesMembers: true,
  params: { field: 'string', maxBytes: 'integer' },
  reply: (field: string, maxBytes: number) => ({
    message: `${field} must not be larger than ${maxBytes} bytes`,
    params: { field, maxBytes },
    members: [[field]],
  }),
});

export const FormTooLargeError = httpError('FormTooLargeError', 413, 'form-too-large', {
  title: 'The fields of the form are too large, or too many',
  remedy: 'Send only the fields that the route declares.',
  reply: 'the fields of the form are too large, or too many',
});

export const MissingFileError = httpError('MissingFileError', 422, 'missing-file', {
  title: 'The file is missing from the form',
  remedy: 'Send a file in the field `params.field`.',
  namesMembers: true,
  params: { field: 'string' },
  reply: (field: string) => ({
    message: `send a file in the field ${field}`,
    params: { field },
    members: [[field]],
  }),
});

export const TooManyFilesError = httpError('TooManyFilesError', 422, 'too-many-files', {
  title: 'The form has too many files',
  remedy: 'Send at most `params.maxFiles` files.',
  namesMembers: true,
  params: { field: 'string', maxFiles: 'integer' },
  reply: (field: string, maxFiles: number) => ({
    message: `${field} must not have more than ${maxFiles} ${maxFiles === 1 ? 'file' : 'files'}`,
    params: { field, maxFiles },
    members: [[field]],
  }),
});

/** The disk is full or read-only, or the application's own store failed. */
export const FileStoreUnavailableError = httpError(
  'FileStoreUnavailableError',
  503,
  'file-store-unavailable',
  {
    title: 'The file store is unavailable',
    remedy: 'Repeat the request after `Retry-After` seconds.',
    reply: (cause: unknown) => ({ message: 'the file cannot be stored, try again shortly', cause }),
  },
);

/** Every upload error, for a program's API description. */
export const uploadErrors = [
  MultipartRequiredError,
  MalformedFormError,
  UnsupportedFileTypeError,
  MalformedPictureError,
  FileTooLargeError,
  FormTooLargeError,
  MissingFileError,
  TooManyFilesError,
  FileStoreUnavailableError,
];
