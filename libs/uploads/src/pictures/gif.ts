import { type ArrivingBytes, BrokenStructureError, type Walk } from './arriving-bytes';
import { checkDimensions } from './dimensions';

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];

/**
 * Walks over the blocks of a GIF file.
 *
 * @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function* gif(bytes: ArrivingBytes): Walk {
  const head = yield* bytes.take(13);
  if (!/^GIF8[79]a/.test(head.toString('latin1'))) throw new BrokenStructureError('has no signature');
  checkDimensions(head.readUInt16LE(6), head.readUInt16LE(8));
  yield* passColors(bytes, head[10]);
  let hasImage = false;
  for (let [kind] = yield* bytes.take(1); kind !== TRAILER; [kind] = yield* bytes.take(1)) {
    if (kind === IMAGE) yield* passImage(bytes);
    else if (kind === EXTENSION) yield* bytes.pass(1);
    else throw new BrokenStructureError('has an invalid block');
    yield* passSubBlocks(bytes);
    hasImage ||= kind === IMAGE;
  }
  if (!hasImage) throw new BrokenStructureError('has no pixels');
}

function* passImage(bytes: ArrivingBytes): Walk {
  const head = yield* bytes.take(9);
  checkDimensions(head.readUInt16LE(4), head.readUInt16LE(6));
  yield* passColors(bytes, head[8]);
  // The code size of the pixels.
  yield* bytes.pass(1);
}

/** Passes a color table, if the flags announce it. */
function* passColors(bytes: ArrivingBytes, flags = 0): Walk {
  if (flags >= 0x80) yield* bytes.pass(3 * 2 ** ((flags % 8) + 1));
}

function* passSubBlocks(bytes: ArrivingBytes): Walk {
  for (let [size = 0] = yield* bytes.take(1); size > 0; [size = 0] = yield* bytes.take(1))
    yield* bytes.pass(size);
}
