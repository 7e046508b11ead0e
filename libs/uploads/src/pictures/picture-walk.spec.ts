import { makePng, pngChunk } from '@app/service/testing';
import { PictureWalk } from './picture-walk';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const webp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAUAmJaQAA3AA/v3AgAA=', 'base64');
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  segment(0xdb, Buffer.alloc(65, 1)),
  segment(0xc0, Buffer.from('080001000101011100', 'hex')),
  segment(0xda, Buffer.from('01010000003f00', 'hex').subarray(0, 6)),
  Buffer.from('aaff00bbffd0ccffffd9', 'hex'),
]);
const pictures: [type: string, bytes: Buffer][] = [
  ['image/png', makePng('a comment')],
  ['image/jpeg', jpeg],
  ['image/gif', gif],
  ['image/webp', webp],
];

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The bytes of a picture that are kept of a file which arrives in chunks of so many bytes. */
function keptOf(type: string, bytes: Buffer, size: number): Buffer {
  const walk = PictureWalk.of(type);
  const kept: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size)
    kept.push(walk?.add(bytes.subarray(at, at + size)) ?? Buffer.alloc(0));
  walk?.finish();
  return Buffer.concat(kept);
}

/** The fault in a file that arrives in chunks of a given size; `undefined` if nothing is. */
function problemOf(type: string, bytes: Buffer, size: number): string | undefined {
  const walk = PictureWalk.of(type);
  if (walk === undefined) throw new TypeError(`no walk for ${type}`);
  try {
    for (let at = 0; at < bytes.length; at += size) walk.add(bytes.subarray(at, at + size));
    walk.finish();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe.each(pictures)('a picture of the type %s', (type, bytes) => {
  it.each([1, 7, 65_536])('is valid in chunks of %i bytes', (size) => {
    expect(problemOf(type, bytes, size)).toBeUndefined();
  });

  it('is not valid if it is cut anywhere', () => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(problemOf(type, bytes.subarray(0, length), 65_536), `${length} bytes`).toBeDefined();
  });

  it.each([1, 7, 65_536])('is followed by nothing that is kept, in chunks of %i bytes', (size) => {
    const both = Buffer.concat([bytes, Buffer.from('PK\u0003\u0004')]);
    const problem = type === 'image/jpeg' ? undefined : 'has data after its end';
    expect(problemOf(type, both, size)).toBe(problem);
    expect(keptOf(type, problem === undefined ? both : bytes, size)).toEqual(bytes);
  });

  it('is not one of another type', () => {
    for (const [otherType] of pictures.filter(([candidate]) => candidate !== type))
      expect(problemOf(otherType, bytes, 65_536)).toBe('has no signature');
  });
});

it('a JPEG file of a phone may have zeros between its segments, and nothing else', () => {
  const at = jpeg.indexOf('ffc0', 0, 'hex');
  const between = (bytes: Buffer) => Buffer.concat([jpeg.subarray(0, at), bytes, jpeg.subarray(at)]);
  expect(problemOf('image/jpeg', between(Buffer.alloc(300)), 7)).toBeUndefined();
  expect(problemOf('image/jpeg', between(Buffer.from([0, 1])), 7)).toBe('has data between its segments');
});

describe('a picture', () => {
  const withHeader = (hex: string) =>
    Buffer.concat([
      makePng().subarray(0, 8),
      pngChunk('IHDR', Buffer.from(hex, 'hex')),
      makePng().subarray(33),
    ]);
  const tooLarge = 'must not have more than 16384 pixels on a side, and 64 Mi in total';
  const changed = (bytes: Buffer, at: number, hex: string) => {
    const copy = Buffer.from(bytes);
    copy.write(hex, at, 'hex');
    return copy;
  };

  it.each([
    ['image/png', withHeader('00000000000000010800000000'), 'has no pixels'],
    ['image/png', withHeader('00004001000000010800000000'), tooLarge],
    ['image/png', withHeader('00003000000030000800000000'), tooLarge],
    ['image/png', withHeader('00000001000000010900000000'), 'has an invalid header'],
    ['image/png', changed(makePng(), makePng().length - 9, '01'), 'has no pixels'],
    ['image/png', changed(makePng(), 30, '00'), 'has a wrong checksum'],
    [
      'image/png',
      Buffer.concat([makePng().subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))]),
      'has no pixels',
    ],
    ['image/jpeg', changed(jpeg, jpeg.indexOf('ffc0', 0, 'hex') + 5, '4001'), tooLarge],
    ['image/jpeg', changed(jpeg, jpeg.indexOf('ffc0', 0, 'hex') + 5, '0000'), 'has no pixels'],
    ['image/jpeg', Buffer.from('ffd8ffd9', 'hex'), 'has no pixels'],
    ['image/jpeg', Buffer.from('ffd83c68746d6c3e', 'hex'), 'has data between its segments'],
    ['image/gif', changed(gif, 6, 'ffff'), tooLarge],
    ['image/gif', changed(gif, 19, '3c'), 'has an invalid block'],
    ['image/webp', changed(webp, 26, 'ff3fff3f'), tooLarge],
    ['image/webp', changed(webp, 4, '20000000'), 'has an invalid chunk'],
  ])('of the type %s is refused: %#', (type, bytes, problem) => {
    expect(problemOf(type, bytes, 65_536)).toBe(problem);
  });

  it('of an unknown structure is not checked', () => {
    expect(PictureWalk.of('image/x-unknown')).toBeUndefined();
  });
});
