import { BrokenStructureError } from './arriving-bytes';

/** Of each side; what decodes a picture needs memory for all of its pixels, which compressed are next to nothing. */
export const maxSide = 16_384;
const maxPixels = 64 * 1024 * 1024;

/** @throws BrokenStructureError if a picture has no pixels, or too many */
export function checkDimensions(width: number, height: number): void {
  if (width === 0 || height === 0) throw new BrokenStructureError('has no pixels');
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw new BrokenStructureError(`must not have more than ${maxSide} pixels on a side, and 64 Mi in total`);
}
