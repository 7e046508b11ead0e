import { BackupError } from '@app/persistence';

/** The public age keys, such as `age1…`. An empty list turns encryption off. */
export type Recipients = readonly string[];
/** The private age keys, such as `AGE-SECRET-KEY-1…`. */
export type Identities = readonly string[];

/** The beginning of each encrypted file. */
const ageHeader = Buffer.from('age-encryption.org/v1\n');

type Pass = (source: AsyncIterable<Buffer>) => AsyncIterable<Uint8Array>;

/** Returns a pipeline step that encrypts to all recipients. Each recipient can read the result. */
export function encrypting(recipients: Recipients): Pass {
  return (source) => (recipients.length === 0 ? source : encrypt(source, recipients));
}

async function* encrypt(
  source: AsyncIterable<Uint8Array>,
  recipients: Recipients,
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(ReadableStream.from(source));
}

/** Returns a pipeline step that decrypts encrypted content, and passes plain content. */
export function decrypting(identities: Identities): Pass {
  return async function* read(source) {
    const [isEncrypted, all] = await peek(source);
    yield* isEncrypted ? decrypt(all, identities) : all;
  };
}

async function* decrypt(
  source: AsyncIterable<Uint8Array>,
  identities: Identities,
): AsyncGenerator<Uint8Array> {
  if (identities.length === 0) throw new BackupError('the backup is encrypted: name a file by --identity');
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  yield* await decrypter.decrypt(ReadableStream.from(source));
}

/** Returns the identities in a file that `age-keygen` has written. @throws {BackupError} if it has no identity */
export function readIdentities(text: string): Identities {
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) throw new BackupError('the file of --identity has no AGE-SECRET-KEY');
  return identities;
}

async function peek(source: AsyncIterable<Buffer>): Promise<[boolean, AsyncIterable<Buffer>]> {
  const chunks = source[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  while (first.length < ageHeader.length) {
    const { value, done } = await chunks.next();
    if (done) break;
    first = Buffer.concat([first, value]);
  }
  return [first.subarray(0, ageHeader.length).equals(ageHeader), resume(first, chunks)];
}

async function* resume(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
