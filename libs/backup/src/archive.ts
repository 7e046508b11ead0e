import { createHash, type Hash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError } from '@app/persistence';
import { extract, type Pack, pack } from 'tar-stream';
import { z } from 'zod';
import { decrypting, encrypting, type Identities, type Recipients } from './encryption';

/** A file of an archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** As many as `open` will give. */
  readonly bytes: number;
  readonly open: () => Readable;
}

/** The last entry: an archive without it is not complete. */
const manifestName = 'manifest.json';
/** Little processor time: pictures are compressed already. */
const gzipOptions = { level: 1 };

/**
 * A tar archive, compressed by gzip, and encrypted by age if there are recipients. Errors of the entries are errors of the stream.
 *
 * @param manifest what the reader has to know, as JSON
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
 * Reads an archive of {@link writeArchive}, and verifies the SHA-256 of its entries that the manifest has.
 *
 * @param take reads the content of one entry to its end
 * @returns the manifest
 * @throws {BackupError} if the archive is damaged, truncated, or encrypted to others; some entries were taken then
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

/** The other members are those of the caller. */
const manifestSchema = z.looseObject({ sha256: z.string().optional() });

async function fill(tar: Pack, entries: AsyncIterable<ArchiveEntry>, manifest: object): Promise<void> {
  const hash = createHash('sha256');
  for await (const { name, bytes, open } of entries)
    await pipeline(hashed(hash, { name, bytes }, open()), tar.entry({ name, size: bytes, mode: 0o600 }));
  tar.entry({ name: manifestName }, JSON.stringify({ ...manifest, sha256: hash.digest('hex') }));
  tar.finalize();
}

/** Adds the name, the length and the content of an entry to a hash, while the content is read. */
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
