import { BrokenStructureError } from './arriving-bytes';

/** The maximum length of each side. A decoder needs memory for all pixels, while a compressed picture may be tiny. */
export const maxSide = 16_384;
const maxPixels = 64 * 1024 * 1024;

/** Checks a picture's dimensions. @throws BrokenStructureError if it has no pixels, or too many */
export function checkDimensions(width: number, height: number): void {
  if (width === 0 || height === 0) throw new BrokenStructureError('has no pixels');
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw new BrokenStructureError(`must not have more than ${maxSide} pixels on a side, and 64 Mi in total`);
}
