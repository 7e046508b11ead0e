import { type ArrivingBytes, BrokenStructureError, type Walk } from './arriving-bytes';
import { checkDimensions } from './dimensions';

const markerPrefix = 0xff;
const padding = 0;
const [START, END, SCAN] = [0xd8, 0xd9, 0xda];

/**
 * Walks over the segments of a JPEG file, and over the scans between them.
 *
 * @see ITU-T T.81, B.1.1
 */
export function* jpeg(bytes: ArrivingBytes): Walk {
  if ((yield* bytes.take(2)).readUInt16BE() !== 0xff00 + START)
    throw new BrokenStructureError('has no signature');
  let [hasFrame, hasScan] = [false, false];
  for (let marker = yield* nextMarker(bytes); marker !== END;) {
    const length = (yield* bytes.take(2)).readUInt16BE() - 2;
    if (!isSegment(marker) || length < 0) throw new BrokenStructureError('has an invalid segment');
    if (isFrame(marker)) yield* frame(bytes, length);
    else yield* bytes.pass(length);
    hasFrame ||= isFrame(marker);
    hasScan ||= marker === SCAN;
    marker = marker === SCAN ? yield* markerAfterScan(bytes) : yield* nextMarker(bytes);
  }
  if (!hasFrame || !hasScan) throw new BrokenStructureError('has no pixels');
}

/** Returns whether a marker begins a frame: SOF0 to SOF15, without DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Returns whether a marker begins a segment with a length: from SOF0, without RST and SOI. */
function isSegment(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xfe && !(marker >= 0xd0 && marker <= START);
}

/** Reads a frame header. A height of 0 is refused: it is defined after the first scan, which decoders do not expect. */
function* frame(bytes: ArrivingBytes, length: number): Walk {
  const size = 5;
  if (length < size) throw new BrokenStructureError('has an invalid header');
  const head = yield* bytes.take(size);
  checkDimensions(head.readUInt16BE(3), head.readUInt16BE(1));
  yield* bytes.pass(length - size);
}

/** Passes padding up to the next marker. Phones pad with zeros. Any other byte is refused, because it could begin a file. */
function* nextMarker(bytes: ArrivingBytes): Walk<number> {
  let [byte] = yield* bytes.take(1);
  while (byte === padding) [byte] = yield* bytes.take(1);
  if (byte !== markerPrefix) throw new BrokenStructureError('has data between its segments');
  return yield* afterFill(bytes);
}

/** Passes a scan. Inside a scan, 0 stands for a byte of 255, and RST0 to RST7 belong to the scan. */
function* markerAfterScan(bytes: ArrivingBytes): Walk<number> {
  for (;;) {
    yield* bytes.passThrough(markerPrefix);
    const marker = yield* afterFill(bytes);
    if (marker !== 0 && !(marker >= 0xd0 && marker <= 0xd7)) return marker;
  }
}

/** Returns the marker after its prefixes, which may be any number. */
function* afterFill(bytes: ArrivingBytes): Walk<number> {
  for (;;) {
    const [byte = markerPrefix] = yield* bytes.take(1);
    if (byte !== markerPrefix) return byte;
  }
}
