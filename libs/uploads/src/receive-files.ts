import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart';
import type { UploadRule } from '@app/contract';
import { HttpError } from '@app/http-errors';
import { ForbiddenKeyError, ingressLimits, isForbiddenKey } from '@app/service';
import type { FastifyRequest } from 'fastify';
import {
  MissingFileError,
  FileStoreUnavailableError,
  FileTooLargeError,
  FormTooLargeError,
  MalformedFormError,
  MalformedPictureError,
  MultipartRequiredError,
  TooManyFilesError,
  UnsupportedFileTypeError,
} from './errors';
import { FileBytes } from './file-bytes';
import { declaredText, mediaTypeOf } from './media-type';
import { BrokenStructureError } from './pictures/arriving-bytes';
import { PictureWalk } from './pictures/picture-walk';
import type { UploadedFile, UploadStore } from './upload-store';

/** The files and fields that arrived with a form. */
export interface ReceivedForm {
  readonly files: readonly UploadedFile[];
  /** The text fields: a string each, or a list if the field is repeated. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const maxNameLength = 255;
/** The maximum bytes in a form besides its files: boundaries, part headers, text fields. */
const maxOtherBytes = 1024 * 1024;
const maxFields = 100;

/**
 * Receives the files in a request and writes them to a store while they arrive.
 *
 * @param takesFields whether the form may have text fields
 * @throws an upload error, ForbiddenKeyError, or the error of an aborted request; no file is left in the store then
 */
export async function receiveFiles(
  request: FastifyRequest,
  rule: UploadRule,
  store: UploadStore,
  takesFields: boolean,
): Promise<ReceivedForm> {
  checkHeaders(request, rule);
  const files: UploadedFile[] = [];
  const fields: Record<string, unknown> = {};
  try {
    for await (const part of partsOf(request, rule)) {
      if (part.type === 'file') files.push(await receiveFile(part, files.length, rule, store));
      else addField(fields, part, takesFields);
    }
    if (files.length === 0) throw new MissingFileError(rule.field);
    return { files, fields };
  } catch (error) {
    await removeFiles(files, store);
    throw errorOf(error, request, rule);
  }
}

/** Removes a failed request's files. */
export async function removeFiles(files: readonly UploadedFile[], store: UploadStore): Promise<void> {
  await Promise.all(files.map(({ key }) => store.remove(key)));
}

function checkHeaders(request: FastifyRequest, { field, maxBytes, maxFiles }: UploadRule): void {
  const { headers } = request;
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (!isPlain || !request.isMultipart()) throw new MultipartRequiredError();
  const length = Number(headers['content-length'] ?? 0);
  if (length > maxFiles * maxBytes + maxOtherBytes) throw new FileTooLargeError(field, maxBytes);
}

function partsOf(request: FastifyRequest, { maxBytes, maxFiles }: UploadRule): AsyncIterable<Multipart> {
  return request.parts({
    limits: {
      fileSize: maxBytes,
      files: maxFiles,
      fields: maxFields,
      fieldSize: ingressLimits.maxBodyBytes,
      fieldNameSize: maxNameLength,
    },
  });
}

async function receiveFile(
  { fieldname, filename, mimetype, file }: MultipartFile,
  received: number,
  { field, types, maxBytes, maxFiles }: UploadRule,
  store: UploadStore,
): Promise<UploadedFile> {
  if (fieldname !== field) throw unexpected(fieldname);
  if (received >= maxFiles) throw new TooManyFilesError(field, maxFiles);
  const bytes = new FileBytes(file, () => {
    if (file.truncated) throw new FileTooLargeError(field, maxBytes);
  });
  const type = await mediaTypeOf(await bytes.sample(), mimetype, types);
  if (types.length > 0 && !types.includes(type))
    throw new UnsupportedFileTypeError(field, types, types.includes(declaredText(mimetype) ?? ''));
  const walk = types.length > 0 ? PictureWalk.of(type) : undefined;
  try {
    if (walk) bytes.checkBy(walk);
    const key = await write(bytes, type, store);
    return { key, name: nameOf(filename), type, bytes: bytes.count };
  } catch (error) {
    throw error instanceof BrokenStructureError ? new MalformedPictureError(field, error) : error;
  }
}

/** Writes a file, and separates failures of the store from failures in the request. */
async function write(bytes: FileBytes, type: string, store: UploadStore): Promise<string> {
  try {
    return await store.write(bytes, type);
  } catch (error) {
    throw bytes.failure ?? new FileStoreUnavailableError(error);
  }
}

/**
 * Returns the name of a file for its reader, or `file` for a part without a name. Control characters could confuse a terminal or
 * a header, and direction controls a reader (`photo\u202egnp.exe` is shown as `photoexe.png`), so they are removed.
 */
function nameOf(sentName = ''): string {
  const name = sentName.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '').replace(/^.*[/\\]/s, '');
  return name.slice(0, maxNameLength).replace(/\p{Cs}$/u, '') || 'file';
}

function addField(
  fields: Record<string, unknown>,
  { fieldname, value, valueTruncated, fieldnameTruncated }: MultipartValue,
  takesFields: boolean,
): void {
  if (valueTruncated || fieldnameTruncated) throw new FormTooLargeError();
  if (!takesFields || isForbiddenKey(fieldname)) throw unexpected(fieldname);
  const before = Object.hasOwn(fields, fieldname) ? [fields[fieldname]].flat() : [];
  fields[fieldname] = before.length === 0 ? value : [...before, value];
}

/** Returns the error that the pipe reports for an undeclared field. */
function unexpected(field: string): HttpError {
  return new ForbiddenKeyError([field]);
}

/** Converts an error of the parser to an upload error. */
function errorOf(
  error: unknown,
  { raw }: FastifyRequest,
  { field, maxBytes, maxFiles }: UploadRule,
): unknown {
  if (error instanceof HttpError) return error;
  if (raw.errored) return raw.errored;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_FILES_LIMIT') return new TooManyFilesError(field, maxFiles);
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new FileTooLargeError(field, maxBytes);
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') return new FormTooLargeError();
  return new MalformedFormError(error);
}
