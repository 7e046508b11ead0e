import { crc32, deflateSync } from 'node:zlib';

/**
 * Returns a valid PNG file with a single gray pixel.
 *
 * @param comment makes the file larger, or different from other files
 */
export function makePng(comment: string | Buffer = ''): Buffer<ArrayBuffer> {
  const header = Buffer.from('00000001000000010800000000', 'hex');
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(2))),
    pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), Buffer.from(comment)])),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a chunk with its length and its checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length);
  bytes.write(type, 4, 'latin1');
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), content.length + 8);
  return bytes;
}
