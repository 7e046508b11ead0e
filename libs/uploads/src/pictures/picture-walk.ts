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

/** Phones append videos, further pictures, depth maps or padding to photos of these types. */
const isFollowed = new Set(['image/jpeg']);

/**
 * Checks a picture while it arrives, by the structure of its format, from the signature to the end. The first bytes alone show little: a
 * file may begin as a picture and be a web page or an archive as well. Data after the end is an error, or is left out of a photo.
 */
export class PictureWalk {
  private readonly bytes = new ArrivingBytes();
  private readonly walk: Walk;
  private isAtEnd = false;

  private constructor(format: (bytes: ArrivingBytes) => Walk, mayBeFollowed: boolean) {
    this.walk = mayBeFollowed ? format(this.bytes) : toEnd(format, this.bytes);
    this.walk.next();
  }

  /** @returns `undefined` for a type that is no picture, or one whose structure is not known */
  static of(type: string): PictureWalk | undefined {
    const format = formats[type];
    return format && new PictureWalk(format, isFollowed.has(type));
  }

  /**
   * Adds the next bytes of the file.
   *
   * @returns the bytes that belong to the picture
   * @throws BrokenStructureError
   */
  add(chunk: Uint8Array): Uint8Array {
    if (this.isAtEnd) return chunk.subarray(0, 0);
    if (chunk.length > 0) this.isAtEnd = this.walk.next(chunk).done === true;
    return this.isAtEnd ? this.bytes.passed() : chunk;
  }

  /** @throws BrokenStructureError if it is not complete */
  finish(): void {
    this.walk.next();
  }
}

function* toEnd(format: (bytes: ArrivingBytes) => Walk, bytes: ArrivingBytes): Walk {
  yield* format(bytes);
  yield* bytes.end();
}
