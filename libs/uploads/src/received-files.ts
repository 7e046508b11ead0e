import type { UploadedFile } from './upload-store';

const received = new WeakMap<object, UploadedFile | readonly UploadedFile[]>();

/** Remembers the files of a request for its handler. */
export function rememberFiles(request: object, files: UploadedFile | readonly UploadedFile[]): void {
  received.set(request, files);
}

/** Returns the files of a request, which were received before its handler runs. */
export function receivedFiles(request: object): UploadedFile | readonly UploadedFile[] | undefined {
  return received.get(request);
}
