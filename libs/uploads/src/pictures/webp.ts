import { type ArrivingBytes, BrokenStructureError, type Walk } from './arriving-bytes';
import { checkDimensions } from './dimensions';

/** The dimensions, by the chunk that has them: the position of their end, and a function that reads them. */
const dimensions: Readonly<Record<string, { bytes: number; read: (head: Buffer) => [number, number] }>> = {
  VP8X: { bytes: 10, read: (head) => [head.readUIntLE(4, 3) + 1, head.readUIntLE(7, 3) + 1] },
  'VP8 ': { bytes: 10, read: (head) => [head.readUInt16LE(6) % 0x4000, head.readUInt16LE(8) % 0x4000] },
  VP8L: {
    bytes: 5,
    read: (head) => {
      const bits = head.readUInt32LE(1);
      return [(bits % 0x4000) + 1, ((bits >>> 14) % 0x4000) + 1];
    },
  },
};
const pixels = new Set(['VP8 ', 'VP8L', 'ANMF']);

/**
 * Walks over the chunks of a WebP file, which end where its header says.
 *
 * @see RFC 9649 §2
 */
export function* webp(bytes: ArrivingBytes): Walk {
  const head = yield* bytes.take(12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WEBP')
    throw new BrokenStructureError('has no signature');
  let hasPixels = false;
  let left = head.readUInt32LE(4) - 4;
  while (left > 0) {
    const chunk = yield* bytes.take(8);
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    const padded = length + (length % 2);
    left -= 8 + padded;
    if (left < 0) throw new BrokenStructureError('has an invalid chunk');
    yield* passChunk(bytes, type, length, padded);
    hasPixels ||= pixels.has(type);
  }
  if (left !== 0 || !hasPixels) throw new BrokenStructureError('has no pixels');
}

function* passChunk(bytes: ArrivingBytes, type: string, length: number, padded: number): Walk {
  const format = dimensions[type];
  const headBytes = format?.bytes ?? 0;
  if (length < headBytes) throw new BrokenStructureError('has an invalid header');
  if (format) checkDimensions(...format.read(yield* bytes.take(headBytes)));
  yield* bytes.pass(padded - headBytes);
}
