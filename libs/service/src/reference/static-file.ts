import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTagOf, listsTag } from '../conditions/entity-tag';
import { weightsOf } from '../responses/preferred-type';

/** The compression functions. The largest file takes some tenths of a second; the highest level takes 4 s, and saves a tenth. */
const compress = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  identity: async (bytes: Buffer) => bytes,
};

/** The content coding of a response. */
export type Coding = keyof typeof compress;

/**
 * A file in memory, compressed once in each requested coding.
 *
 * `@fastify/static` costs 62 ms and 11 MB at start, compresses nothing, and cannot send a document that is only in memory.
 */
export class StaticFile {
  private readonly codings = new Map<Coding, Promise<Buffer>>();
  private readonly hash: string;

  constructor(
    private readonly bytes: Buffer,
    private readonly cacheControl = 'no-cache',
    private readonly isCompressible = true,
  ) {
    this.hash = entityTagOf(bytes).slice(1, 23);
  }

  /** Returns the file in a coding. All responses share the bytes. */
  in(coding: Coding): Promise<Buffer> {
    const bytes = this.codings.get(coding) ?? compress[coding](this.bytes);
    this.codings.set(coding, bytes);
    return bytes;
  }

  /** Sets the headers of a response. @returns its body, or nothing for a client that has the file (304) */
  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<Buffer | undefined> {
    const coding = this.isCompressible ? chooseCoding(headers['accept-encoding']) : 'identity';
    const bytes = await this.in(coding);
    const etag = coding === 'identity' ? `"${this.hash}"` : `"${this.hash}_${coding}"`;
    void reply.header('ETag', etag).header('Cache-Control', this.cacheControl);
    if (this.isCompressible) void reply.header('Vary', 'Accept-Encoding');
    const listed = headers['if-none-match'];
    if (listed !== undefined && listsTag(listed, etag)) {
      void reply.code(304).removeHeader('Content-Type');
      return undefined;
    }
    if (coding !== 'identity') void reply.header('Content-Encoding', coding);
    return bytes;
  }
}

/**
 * Chooses the coding that the client prefers. If it prefers two codings equally, the smaller file wins.
 *
 * @param accepted the header field `Accept-Encoding`, if it was sent
 * @see RFC 9110 §12.5.3
 */
export function chooseCoding(accepted = ''): Coding {
  const weights = weightsOf(accepted);
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
}

const packageFiles = new Map<string, Promise<StaticFile>>();

/** Reads a file from `swagger-ui-dist` once. The first request resolves the package. */
export function swaggerUi(name: string): Promise<StaticFile> {
  const file = packageFiles.get(name) ?? readPackageFile(name);
  packageFiles.set(name, file);
  return file;
}

async function readPackageFile(name: string): Promise<StaticFile> {
  const manifest = createRequire(join(__dirname, 'static-file.js')).resolve('swagger-ui-dist/package.json');
  try {
    const bytes = await readFile(join(dirname(manifest), name));
    return new StaticFile(bytes, 'public, max-age=3600', !name.endsWith('.png'));
  } catch (error) {
    packageFiles.delete(name);
    throw error;
  }
}
