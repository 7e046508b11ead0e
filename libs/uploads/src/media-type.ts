import { isUtf8 } from 'node:buffer';

/** The number of bytes that identify a file type. */
export const sampleBytes = 4100;

const textual = /^(?:text\/[\w.+-]+|application\/json)$/;

/**
 * Recognises the media type of a file by its first bytes, and ignores its name. A text may begin like a binary file (`BM` in
 * BMP, `MZ` in a program, `GIF89a`). Unless the file has bytes that no text has, the client's declared text type applies.
 *
 * @param sample the first {@link sampleBytes}, or the whole file
 * @param declared the type that the client gives, if any
 * @param types the preferred types if the file could have two types; default empty
 * @returns `application/octet-stream` if it is unknown
 */
export async function mediaTypeOf(
  sample: Buffer,
  declared: string,
  types: readonly string[] = [],
): Promise<string> {
  // Loaded by the first upload: most programs have none.
  const { fileTypeFromBuffer } = await import('file-type');
  const signed = (await fileTypeFromBuffer(sample))?.mime;
  const text = declaredText(declared);
  const isTextual = text !== undefined && isText(sample) && (signed === undefined || !hasBinaryByte(sample));
  const possible = [...(isTextual ? [text] : []), ...(signed === undefined ? [] : [signed])];
  return possible.find((type) => types.includes(type)) ?? possible[0] ?? 'application/octet-stream';
}

/** Returns the declared type of a file, without its parameters, if it is a text type. */
export function declaredText(declared: string): string | undefined {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return textual.test(type) ? type : undefined;
}

/** Returns whether a sample is UTF-8 text. Its last character may be incomplete. */
function isText(sample: Buffer): boolean {
  if (sample.includes(0)) return false;
  const ends = sample.length < sampleBytes ? [0] : [0, 1, 2, 3];
  return ends.some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
}

/** Returns whether a sample has control characters besides white space and terminal controls. */
function hasBinaryByte(sample: Buffer): boolean {
  return sample.some(
    (byte) => byte === 0x7f || (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b),
  );
}
