import type { UploadRule } from '@app/contract';
import { declareUpload } from '@app/service';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { receivedFiles } from './received-files';

/** The options for {@link Upload}. */
export interface UploadOptions {
  /** The form field's name; default `file`. */
  readonly field?: string;
  /** A file's maximum size. */
  readonly maxBytes: number;
  /** The accepted media types, such as `image/png`, recognised by a file's first bytes; by default every type. */
  readonly types?: readonly string[];
  /** The most files. If it is set, the handler receives a list, which has at least 1 file. */
  readonly maxFiles?: number;
}

const decorated = new WeakSet<object>();
const mediaType = /^[a-z]+\/[\w.+-]+$/;

/**
 * Injects the file of a `multipart/form-data` request, or with `maxFiles` a list:
 *
 * ```ts
 * replace(@Upload({ types: ['image/png', 'image/jpeg'], maxBytes: 2_000_000 }) picture: UploadedFile) {}
 * ```
 *
 * After the caller is authorized, files are written to the program's {@link UploadStore} while they arrive. They are removed if
 * the request fails. A file that is too large is 413, and a file with a different type is 415. A missing file, or too many
 * files, is 422. The other form fields become the route's body (`@Body()`), and are rejected if the handler has no body.
 *
 * @throws TypeError if the options are invalid
 */
export function Upload(options: UploadOptions): ParameterDecorator {
  const rule = readRule(options);
  const decorate = uploaded();
  return (target, name, index) => {
    const handler: unknown = name === undefined ? undefined : Reflect.get(target, name);
    if (typeof handler !== 'function' || decorated.has(handler))
      throw new TypeError('@Upload() is for one parameter of a handler');
    decorated.add(handler);
    declareUpload(handler, rule);
    decorate(target, name, index);
  };
}

const uploaded = createParamDecorator(uploadOf);

function uploadOf(_: unknown, context: ExecutionContext): unknown {
  return receivedFiles(context.getArgByIndex<object>(0));
}

function readRule({ field = 'file', maxBytes, types = [], maxFiles }: UploadOptions): UploadRule {
  const most = maxFiles ?? 1;
  if (![maxBytes, most].every((number) => Number.isSafeInteger(number) && number > 0))
    throw new TypeError('@Upload() needs whole numbers from 1 as maxBytes and maxFiles');
  if (!/^[\w-]+$/.test(field) || !types.every((type) => mediaType.test(type)))
    throw new TypeError('@Upload() needs a field like "picture", and types like "image/png"');
  return { field, types, maxBytes, maxFiles: most, isList: maxFiles !== undefined };
}
