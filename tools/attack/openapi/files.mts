import { crc32, deflateSync } from 'node:zlib';

/** A hostile file and its fault. */
export interface HostileFile {
  readonly fault: string;
  readonly content: Buffer;
}

/** A script that a browser runs if it treats a file as a page. */
export const script = '<script>alert("attack")</script>';

const page = Buffer.from(`<!doctype html><html><body>${script}</body></html>`);

/**
 * Makes a small file of a media type.
 *
 * @param padding bytes that it has in addition, where its format permits them
 */
export function fileOf(type: string, padding = 0): Buffer {
  if (type === 'image/png') return png([chunk('tEXt', Buffer.alloc(padding, 'a'))]);
  if (type === 'image/jpeg')
    return Buffer.concat([
      Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
      Buffer.alloc(padding),
      Buffer.from('ffd9', 'hex'),
    ]);
  if (type === 'application/pdf')
    return Buffer.from(
      `%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%${'a'.repeat(padding)}\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
    );
  if (type === 'application/json') return Buffer.from(JSON.stringify('a'.repeat(padding)));
  return Buffer.from(`a file of the attack ${'a'.repeat(padding)}`);
}

/** Returns files that differ from the media type. The list is empty for texts, because any text is valid. */
export function otherFiles(type: string): readonly HostileFile[] {
  if (type.startsWith('text/')) return [];
  const picture = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`);
  return [
    { fault: 'a page', content: page },
    { fault: 'a vector picture with a script', content: picture },
    { fault: 'an archive', content: Buffer.from('504b0304140000000000', 'hex') },
    { fault: 'an executable', content: Buffer.from('7f454c4602010100', 'hex') },
    {
      fault: 'its first bytes, and then a page',
      content: Buffer.concat([fileOf(type).subarray(0, 8), page]),
    },
    { fault: 'its first half', content: fileOf(type, 100).subarray(0, 40) },
    ...(type === 'image/png' ? [{ fault: 'a picture of 3.6 gigapixels', content: png([], 60_000) }] : []),
  ];
}

/** Returns files that match the media type and a second format at once, so that readers of either format accept them. */
export function polyglots(type: string): readonly HostileFile[] {
  const behind = { fault: 'a page behind its end', content: Buffer.concat([fileOf(type), page]) };
  const archive = {
    fault: 'an archive behind its end',
    content: Buffer.concat([fileOf(type), emptyArchive]),
  };
  if (type !== 'image/png') return [behind, archive];
  return [behind, archive, { fault: 'a page in its comment', content: png([chunk('tEXt', page)]) }];
}

const emptyArchive = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);

/** Makes a black picture with a single colour and a bit per pixel. @see https://www.w3.org/TR/png-3 */
function png(chunks: readonly Buffer[], side = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.alloc(2))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(content.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
}
