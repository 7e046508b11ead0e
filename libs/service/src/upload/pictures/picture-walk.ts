import { ArrivingBytes, type Walk } from './arriving-bytes';
import { gif } from './gif';
import { jpeg } from './jpeg';
import { png } from './png';
import { webp } from './webp';

/** By media type, a walk over the whole file. */
const formats: Readonly<Record<string, (bytes: ArrivingBytes) => Walk>> = {
  'image/apng': png,
  'image/gif': gif,
  'image/jpeg': jpeg,
  'image/png': png,
  'image/webp': webp,
};

/**
 * Checks a picture while it arrives, by the structure of its format: from the signature to the end, and nothing after it. The
 * first bytes alone show little: a file may begin as a picture and be a web page or an archive as well.
 */
export class PictureWalk {
  private readonly walk: Walk;

  private constructor(format: (bytes: ArrivingBytes) => Walk) {
    this.walk = toEnd(format);
    this.walk.next();
  }

  /** @returns `undefined` for a type that is no picture, or one whose structure is not known */
  static of(type: string): PictureWalk | undefined {
    const format = formats[type];
    return format && new PictureWalk(format);
  }

  /** @throws BrokenStructureError */
  add(chunk: Uint8Array): void {
    if (chunk.length > 0) this.walk.next(chunk);
  }

  /** @throws BrokenStructureError if it is not complete */
  finish(): void {
    this.walk.next();
  }
}

function* toEnd(format: (bytes: ArrivingBytes) => Walk): Walk {
  const bytes = new ArrivingBytes();
  yield* format(bytes);
  yield* bytes.end();
}
