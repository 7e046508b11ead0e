import { closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreFaultError } from '../../errors';
import { type FileIdentity, type FileState, identityOf } from './file-identity';
import { type SqliteFile } from './node-sqlite';
import { syncFile } from './sync-file';

/** A copy that failed, such as on a full disk, is tried again after this time. */
const RETRY_AFTER_MS = 5_000;

const happened: Readonly<Record<Exclude<FileState, 'there'>, string>> = {
  missing: 'was deleted or moved while in use',
  replaced: 'was replaced while in use',
  unreachable: 'is on a file system that is gone',
};

/** The connections to a file, which have what was acknowledged, wherever the file is. */
interface Open {
  readonly identity: FileIdentity;
  readonly reader: SqliteFile;
  readonly writer: SqliteFile;
}

/** A copy of what was open. */
interface Copied {
  readonly path: string;
  /** As {@link identityOf} names it. */
  readonly file: string;
}

/**
 * Writes a database back that is open, and whose file was deleted or moved. If another file has its place, the database
 * is written beside it, and an operator decides.
 */
export class LostFile {
  private saved: string | undefined;
  private failure: string | undefined;
  private retryAt = 0;

  /** What has happened, and what to do. */
  fault({ path, state }: FileIdentity, isOpen: boolean): StoreFaultError | undefined {
    return state === 'there'
      ? undefined
      : new StoreFaultError(`${path} ${happened[state]}: ${this.advice(state, isOpen)}`);
  }

  /** Whether {@link save} can do something now. */
  isDue({ state }: FileIdentity): boolean {
    if (state === 'missing') return performance.now() >= this.retryAt;
    return state === 'replaced' && this.saved === undefined && performance.now() >= this.retryAt;
  }

  /**
   * Writes it back, or beside the other file. To be called in a transaction of the writer: other programs that
   * have the file open wait for it, and then see what became of it, see {@link noteCopy}.
   *
   * @returns the file that now has its place, as {@link identityOf} names it; `undefined` if it has not
   */
  async save(open: Open): Promise<string | undefined> {
    try {
      const { path, file } = await saveOnce(open);
      this.failure = this.saved = undefined;
      if (path === open.identity.path) return file;
      this.saved = path;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      this.retryAt = performance.now() + RETRY_AFTER_MS;
    }
    return undefined;
  }

  private advice(state: FileState, isOpen: boolean): string {
    if (!isOpen) return 'put it back, or restore a backup';
    if (this.failure !== undefined)
      return `what the program has open could not be written (${this.failure}); it tries again every 5 s: do not end it before, all acknowledged writes are there`;
    if (state === 'unreachable')
      return 'mount it again, and do not end the program before, which has all acknowledged writes';
    return this.saved === undefined
      ? 'the program is writing back what it has open; do not end it before'
      : `all acknowledged writes are in ${this.saved}: stop the programs, and put it in the place of the other file and its -wal, or keep that one`;
  }
}

async function saveOnce({ identity, reader, writer }: Open): Promise<Copied> {
  const last = lastCopy(writer);
  const isThere = last && identityOf(last.path) === last.file;
  if (isThere && identity.state === 'replaced') return last;
  // What was acknowledged since then is in that copy alone.
  if (last?.path === identity.path)
    throw new Error('another program has written it back, and it is gone again');
  const path = identity.state === 'missing' ? identity.path : unusedName(identity.path);
  const copied = await copyTo(path, { identity, reader });
  noteCopy(writer, copied);
  return copied;
}

async function copyTo(path: string, { identity, reader }: Omit<Open, 'writer'>): Promise<Copied> {
  const partial = `${path}.partial`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', 0o600));
  try {
    await reader.copyTo(partial);
    await syncFile(partial);
    // They are of the lost file: SQLite would read them as those of the new one.
    if (path === identity.path) for (const sideFile of identity.sideFiles) rmSync(sideFile);
    // Unlike a rename, it fails if something is there.
    linkSync(partial, path);
    await syncFile(dirname(path));
    return { path, file: identityOf(path) ?? '' };
  } finally {
    rmSync(partial, { force: true });
  }
}

/** In the lost file, which only programs that have it open see. Without it each of them saves a copy of its own. */
function noteCopy(writer: SqliteFile, { path, file }: Copied): void {
  try {
    writer.exec('create table if not exists written_back (path text, file text)');
    writer.run('insert into written_back (path, file) values (?, ?)', [path, file]);
    writer.exec('commit');
  } catch {
    // Such as on a full disk.
  }
}

function lastCopy(writer: SqliteFile): Copied | undefined {
  if (!isNoted(writer)) return undefined;
  const { rows } = writer.run('select path, file from written_back order by rowid desc limit 1', []);
  const [last] = rows.map(({ path, file }) => ({ path: String(path), file: String(file) }));
  return last;
}

/** To be called when a file is opened: one that was moved away and back has a note. */
export function forgetCopies(writer: SqliteFile): void {
  if (isNoted(writer)) writer.exec('drop table written_back');
}

function isNoted(writer: SqliteFile): boolean {
  return writer.run("select 1 from sqlite_schema where name = 'written_back'", []).rows.length > 0;
}

function unusedName(path: string): string {
  const name = `${path}.was-open`;
  for (let count = 2; existsSync(name); count++)
    if (!existsSync(`${name}-${count}`)) return `${name}-${count}`;
  return name;
}
