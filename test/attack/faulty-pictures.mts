import type { IncomingMessage } from 'node:http';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const end = Buffer.from('0000000049454e44ae426082', 'hex');
/** The most pixels on a picture's side. */
const maxSide = 16_384;

/** Returns the first file in a form, or `undefined` if there is no file or the file is too large. */
export async function fileIn(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const [, boundary] =
    /^multipart\/form-data; boundary=([\w-]+)$/.exec(request.headers['content-type'] ?? '') ?? [];
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  const form = Buffer.concat(chunks);
  const [from, to] = [form.indexOf('\r\n\r\n') + 4, form.lastIndexOf(`\r\n--${boundary}--`)];
  return boundary === undefined || bytes > maxBytes || from < 4 || to < from
    ? undefined
    : form.subarray(from, to);
}

/** Whether a file begins and ends as a PNG picture of a reasonable size. */
export function isPicture(file: Buffer, { mayGoOn }: { readonly mayGoOn: boolean }): boolean {
  const place = file.indexOf(end);
  const hasEnd = place >= 0 && (mayGoOn || place + end.length === file.length);
  const isSmall = file.length > 24 && Math.max(file.readUInt32BE(16), file.readUInt32BE(20)) <= maxSide;
  return file.indexOf(signature) === 0 && hasEnd && isSmall;
}
