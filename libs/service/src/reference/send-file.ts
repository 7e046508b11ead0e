import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding } from './encodings';
import { listsTag } from '../conditions/entity-tag';
import type { StaticFile } from './static-file';

/** What a file contains, and how long clients may use it without asking again. */
export interface FileKind {
  readonly isCompressible: boolean;
  readonly maxAgeSeconds: number;
}

/**
 * Prepares the response of a file: in the coding that the client prefers, or 304 if the client has it already.
 *
 * @returns the body
 */
export async function sendFile(
  file: StaticFile,
  { isCompressible, maxAgeSeconds }: FileKind,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | undefined> {
  const coding = isCompressible ? chooseCoding(headers['accept-encoding']) : 'identity';
  const { bytes, etag } = await file.in(coding);
  void reply
    .header('ETag', etag)
    .header('Cache-Control', maxAgeSeconds === 0 ? 'no-cache' : `public, max-age=${maxAgeSeconds}`);
  if (isCompressible) void reply.header('Vary', 'Accept-Encoding');
  const known = headers['if-none-match'];
  if (known !== undefined && listsTag(known, etag)) {
    void reply.code(304).removeHeader('Content-Type');
    return undefined;
  }
  if (coding !== 'identity') void reply.header('Content-Encoding', coding);
  return bytes;
}
