import { createHash, type Hash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError } from '@app/persistence';
import { extract, type Pack, pack } from 'tar-stream';
import { z } from 'zod';
import { decrypting, encrypting, type Identities, type Recipients } from './encryption';

/** A file in an archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** The number of bytes that `open` will yield. */
  readonly bytes: number;
  readonly open: () => Readable;
}

/** The last entry. An archive without a manifest is incomplete. */
const manifestName = 'manifest.json';
/** The gzip options. A low level saves processor time, because pictures are compressed already. */
const gzipOptions = { level: 1 };

/**
 * Writes a tar archive, compressed by gzip, and encrypted by age if there are recipients. An error in an entry ends the stream.
 *
 * @param manifest the JSON that the reader needs
 */
export function writeArchive(
  entries: AsyncIterable<ArchiveEntry>,
  manifest: object,
  recipients: Recipients = [],
): Readable {
  const tar = pack();
  const archive = new PassThrough();
  const fail = (error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error)));
  // It may fail before its reader begins; who reads it then gets the same error.
  archive.on('error', () => {});
  fill(tar, entries, manifest).catch(fail);
  pipeline(tar, createGzip(gzipOptions), encrypting(recipients), archive).catch(fail);
  return archive;
}

/**
 * Reads an archive written by {@link writeArchive}, and verifies its entries by the SHA-256 in the manifest.
 *
 * @param take reads an entry's content to its end
 * @returns the manifest
 * @throws {BackupError} if the archive is damaged, truncated, or encrypted to different recipients; some entries were taken then
 */
export async function readArchive(
  source: Readable,
  identities: Identities,
  take: (name: string, content: Readable) => Promise<void>,
): Promise<unknown> {
  const tar = extract();
  const flow = pipeline(source, decrypting(identities), createGunzip(), tar);
  // It may fail before it is awaited.
  const ended = flow.catch(() => undefined);
  try {
    let manifest: z.output<typeof manifestSchema> | undefined;
    const hash = createHash('sha256');
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      if (name === manifestName)
        manifest = manifestSchema.parse(JSON.parse((await buffer(entry)).toString()));
      else await take(name, Readable.from(hashed(hash, { name, bytes: size }, entry)));
    }
    await flow;
    if (manifest === undefined) throw new BackupError('the archive is truncated: use another backup');
    if (manifest.sha256 !== hash.digest('hex'))
      throw new BackupError('the archive is damaged: its contents are not those that were written');
    return manifest;
  } catch (cause) {
    await ended;
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(`the archive cannot be read: ${String(cause)}`, { cause });
  }
}

/** The manifest's schema. The caller checks its further members. */
const manifestSchema = z.looseObject({ sha256: z.string().optional() });

async function fill(tar: Pack, entries: AsyncIterable<ArchiveEntry>, manifest: object): Promise<void> {
  const hash = createHash('sha256');
  for await (const { name, bytes, open } of entries)
    await pipeline(hashed(hash, { name, bytes }, open()), tar.entry({ name, size: bytes, mode: 0o600 }));
  tar.entry({ name: manifestName }, JSON.stringify({ ...manifest, sha256: hash.digest('hex') }));
  tar.finalize();
}

/** Adds an entry's name, length and content to a hash while the content is read. */
async function* hashed(
  hash: Hash,
  { name, bytes }: Pick<ArchiveEntry, 'name' | 'bytes'>,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  hash.update(`${name}\n${bytes}\n`);
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
