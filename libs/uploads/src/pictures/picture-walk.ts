import { ArrivingBytes, type Walk } from './arriving-bytes';
import { gif } from './gif';
import { jpeg } from './jpeg';
import { png } from './png';
import { webp } from './webp';

/** The walks over whole files, by media type. */
const formats: Readonly<Record<string, (bytes: ArrivingBytes) => Walk>> = {
  'image/apng': png,
  'image/gif': gif,
  'image/jpeg': jpeg,
  'image/png': png,
  'image/webp': webp,
};

/** The types to which phones append videos, further pictures, depth maps or padding. */
const isFollowed = new Set(['image/jpeg']);

/**
 * Checks a picture while it arrives, by its format's structure, from the signature to the end. The first bytes show little,
 * because a file may begin as a picture and also be a web page or an archive. Data after the end is an error, or is left out for
 * photos.
 */
export class PictureWalk {
  private readonly bytes = new ArrivingBytes();
  private readonly walk: Walk;
  private isAtEnd = false;

  private constructor(format: (bytes: ArrivingBytes) => Walk, mayBeFollowed: boolean) {
    this.walk = mayBeFollowed ? format(this.bytes) : toEnd(format, this.bytes);
    this.walk.next();
  }

  /** Returns a walk for a media type, or `undefined` for a type that is not a picture or has an unknown structure. */
  static of(type: string): PictureWalk | undefined {
    const format = formats[type];
    return format && new PictureWalk(format, isFollowed.has(type));
  }

  /**
   * Adds the file's next bytes.
   *
   * @returns the bytes that belong to the picture
   * @throws BrokenStructureError
   */
  add(chunk: Uint8Array): Uint8Array {
    if (this.isAtEnd) return chunk.subarray(0, 0);
    if (chunk.length > 0) this.isAtEnd = this.walk.next(chunk).done === true;
    return this.isAtEnd ? this.bytes.passed() : chunk;
  }

  /** Ends the walk. @throws BrokenStructureError if the picture is not complete */
  finish(): void {
    this.walk.next();
  }
}

function* toEnd(format: (bytes: ArrivingBytes) => Walk, bytes: ArrivingBytes): Walk {
  yield* format(bytes);
  yield* bytes.end();
}
