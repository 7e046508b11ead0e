import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from './encodings';

/** In response to a request for a file. */
export interface Representation {
  readonly bytes: Buffer;
  /** Strong: it differs between codings. */
  readonly etag: string;
}

/** Levels that take some tenths of a second for the largest file: the highest take seconds, for a tenth less. */
const compress: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
};

/** A file in each coding that was requested: compressed once, and shared by all responses. */
export class StaticFile {
  private readonly representations = new Map<Coding, Promise<Representation>>();
  private readonly hash: string;

  constructor(private readonly bytes: Buffer) {
    this.hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  }

  /** The file in a coding. */
  in(coding: Coding): Promise<Representation> {
    const known = this.representations.get(coding) ?? this.make(coding);
    this.representations.set(coding, known);
    return known;
  }

  private async make(coding: Coding): Promise<Representation> {
    const etag = coding === 'identity' ? `"${this.hash}"` : `"${this.hash}_${coding}"`;
    return { bytes: await compress[coding](this.bytes), etag };
  }
}
