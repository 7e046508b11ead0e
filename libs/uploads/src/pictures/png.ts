import { crc32 } from 'node:zlib';
import { type ArrivingBytes, BrokenStructureError, type Walk } from './arriving-bytes';
import { checkDimensions } from './dimensions';

const signature = '89504e470d0a1a0a';
const headerLength = 13;
const maxLength = 0x7fffffff;
/** The bit depths, by color type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const criticalTypes = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

/**
 * Walks over the chunks of a PNG file, each with its checksum.
 *
 * @see https://www.w3.org/TR/png-3/#5DataRep
 */
export function* png(bytes: ArrivingBytes): Walk {
  if ((yield* bytes.take(8)).toString('hex') !== signature)
    throw new BrokenStructureError('has no signature');
  yield* header(bytes);
  let hasData = false;
  for (let type = ''; type !== 'IEND';) {
    const head = yield* bytes.take(8);
    const length = head.readUInt32BE(0);
    type = head.toString('latin1', 4);
    checkChunk(type, length, hasData);
    hasData ||= type === 'IDAT';
    let sum = crc32(head.subarray(4));
    yield* bytes.pass(length, (part) => (sum = crc32(part, sum)));
    yield* checkSum(bytes, sum);
  }
}

function* header(bytes: ArrivingBytes): Walk {
  const head = yield* bytes.take(8 + headerLength);
  if (head.readUInt32BE(0) !== headerLength || head.toString('latin1', 4, 8) !== 'IHDR')
    throw new BrokenStructureError('does not begin with its header');
  const [depth = 0, color = 0, compression, filter, interlace = 0] = head.subarray(16);
  if (!depths[color]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw new BrokenStructureError('has an invalid header');
  checkDimensions(head.readUInt32BE(8), head.readUInt32BE(12));
  yield* checkSum(bytes, crc32(head.subarray(4)));
}

function checkChunk(type: string, length: number, hasData: boolean): void {
  const isCritical = /^[A-Z]/.test(type);
  const isKnown = isCritical ? criticalTypes.has(type) && type !== 'IHDR' : /^[a-z][A-Za-z]{3}$/.test(type);
  if (!isKnown || length > maxLength) throw new BrokenStructureError('has an invalid chunk');
  if (type === 'IEND' && (length !== 0 || !hasData)) throw new BrokenStructureError('has no pixels');
}

function* checkSum(bytes: ArrivingBytes, sum: number): Walk {
  if ((yield* bytes.take(4)).readUInt32BE() !== sum) throw new BrokenStructureError('has a wrong checksum');
}
