import { isUtf8 } from 'node:buffer';

/** How much of a file its type is recognised by. */
export const sampleBytes = 4100;

/** Of types that have no signature, that of the client is used, if the bytes are text. */
const textual = /^(?:text\/[\w.+-]+|application\/json)$/;

/**
 * Recognises the media type of a file by its first bytes. Its name is not considered.
 *
 * @param sample   the first {@link sampleBytes}, or the whole file
 * @param declared the type that the client gives, if any
 * @returns `application/octet-stream` if it is unknown
 */
export async function mediaTypeOf(sample: Buffer, declared: string): Promise<string> {
  // Loaded by the first upload: most programs have none.
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(sample);
  if (known !== undefined) return known.mime;
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return textual.test(type) && isText(sample) ? type : 'application/octet-stream';
}

/** The last character of a sample may be incomplete. */
function isText(sample: Buffer): boolean {
  if (sample.includes(0)) return false;
  const ends = sample.length < sampleBytes ? [0] : [0, 1, 2, 3];
  return ends.some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
}
