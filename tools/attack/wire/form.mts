import type { Attempt } from './exchange.mts';

/** A file of a form. */
export interface FormFile {
  /** The media type that the form declares. */
  readonly type: string;
  readonly content: Buffer;
}

const boundary = 'attack-7MA4YWxkTrZu0gW';

/** Makes a request with a form body that contains a single file. */
export function formAttempt(request: Attempt, member: string, { type, content }: FormFile): Attempt {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${member}"; filename="attack"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    ...request,
    headers: { ...request.headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
