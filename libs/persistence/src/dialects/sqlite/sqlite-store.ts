import { StoreFaultError, StoreUnavailableError } from '../../errors';
import { type StoreHealth, unavailable } from '../store-health';
import { type Timeouts } from '../timeouts';
import { Checkpointer } from './checkpointer';
import { FileIdentity } from './file-identity';
import { isSuccessorDue } from './follower-role';
import { refuseUnwritable, SqliteFile, type SqliteResult, type SqliteValue } from './node-sqlite';
import { retryWhileBusy } from './retry-while-busy';
import { isBusy, translateSqliteError } from './sqlite-errors';
import { type SqliteTransaction } from './sqlite-transaction';
import { WalSync } from './wal-sync';
import { type CheckpointLimits, checkpointLimits, WriteGroups } from './write-groups';

/** The numbers that SQLite reports for an empty WAL. */
const empty = { log: 0, checkpointed: 0 };

/**
 * A SQLite file with two connections: a reader, which in WAL mode never blocks on a writer, and a writer, which commits
 * transactions in {@link WriteGroups}. Both are opened on first use, and reopened after errors that a new connection may fix.
 * The errors determine the reported file health: see {@link health}.
 */
export class SqliteStore {
  private readonly path: string;
  private readonly since = Date.now();
  private openReader: SqliteFile | undefined;
  private openWriter: SqliteFile | undefined;
  private identity: FileIdentity | undefined;
  private openSync: WalSync | undefined;
  private checkpointer: Checkpointer | undefined;
  /** The reader, while it shows the data before a commit. */
  private snapshotReader: SqliteFile | undefined;
  /** The data version. It changes with each commit by a different connection. */
  private snapshotVersion: unknown;
  private damage: StoreFaultError | undefined;
  private writeError: StoreUnavailableError | undefined;

  private readonly timeouts: Timeouts;
  private readonly writes: WriteGroups;

  constructor(path: string, timeouts: Timeouts, limits: CheckpointLimits = checkpointLimits) {
    this.path = path;
    this.timeouts = timeouts;
    this.writes = new WriteGroups(this, limits);
  }

  /** Runs a query on the committed data. */
  async read(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    try {
      return this.currentReader().run(sql, values);
    } catch (error) {
      if (!isBusy(error)) throw this.translate(error);
    }
    return retryWhileBusy(this, this.deadline(), () => this.currentReader().run(sql, values));
  }

  /** Runs a statement that changes rows. */
  write(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    return this.writes.run(sql, values, this.deadline());
  }

  /** Runs a statement that may not be allowed in a transaction, such as `pragma` or `vacuum`. */
  execute(sql: string, values: readonly SqliteValue[]): Promise<SqliteResult> {
    const deadline = this.deadline();
    return this.writes.alone(deadline, () =>
      retryWhileBusy(this, deadline, () => this.writer().run(sql, values)),
    );
  }

  /** Begins a transaction that holds the write lock. */
  begin(): Promise<SqliteTransaction> {
    return this.writes.begin(this.deadline());
  }

  /**
   * Makes the next write restart the WAL, after the whole WAL was read and checkpointed. Programs cannot write meanwhile.
   *
   * @param readRest reads the unread rest of the WAL; called while writes are blocked
   * @param restarted called right after the write that may have restarted the WAL
   */
  restartWal(readRest: () => Promise<void>, restarted: () => void): Promise<void> {
    const deadline = this.deadline();
    return this.writes.alone(deadline, async () => {
      await this.locked(deadline, async () => {
        await readRest();
        await this.checkpoint();
      });
      // A WAL that is checkpointed as a whole is begun anew by a transaction that begins now.
      await this.locked(deadline, async (writer) => {
        await readRest();
        const [version] = writer.run('pragma user_version', []).rows;
        writer.exec(`pragma user_version = ${Number(version?.user_version)}`);
      });
      restarted();
    });
  }

  /** Runs `work` with the file's write lock. */
  private async locked(deadline: number, work: (writer: SqliteFile) => Promise<void>): Promise<void> {
    await retryWhileBusy(this, deadline, () => this.writer().exec('begin immediate'));
    const writer = this.writer();
    try {
      await work(writer);
      writer.exec('commit');
    } catch (error) {
      if (writer.isInTransaction) writer.exec('rollback');
      throw error;
    }
  }

  /** Whether reads and writes succeed. */
  async check(): Promise<StoreHealth> {
    try {
      this.refuseFaults();
      await this.read('select 1 from sqlite_schema limit 1', []);
      return this.health;
    } catch (error) {
      return unavailable(error);
    }
  }

  reader(): SqliteFile {
    this.openReader ??= this.open('read');
    return this.openReader;
  }

  writer(): SqliteFile {
    this.openWriter ??= this.open('write');
    return this.openWriter;
  }

  /** @throws {StoreFaultError} if the file is damaged, or was replaced since it was opened */
  refuseFaults(): void {
    if (this.damage) throw this.damage;
    try {
      this.checkIdentity();
    } catch (error) {
      this.checkpointInPlace();
      throw error;
    }
  }

  /**
   * Holds the reader. Call it before a commit. Until {@link sync} has ended, {@link currentReader} shows the data before the
   * commit.
   */
  holdReader(): void {
    const reader = this.reader();
    this.snapshotVersion = this.version();
    reader.exec('begin; select 1 from sqlite_schema limit 1');
    this.snapshotReader = reader;
  }

  /**
   * Returns a reader that shows every acknowledged commit. A different process may acknowledge a commit before an earlier commit
   * by this program is on the disk. The later commit reaches the disk only with the earlier commit, so the reader then shows
   * both.
   */
  currentReader(): SqliteFile {
    if (this.snapshotReader && this.version() !== this.snapshotVersion) this.releaseReader();
    return this.openReader ?? this.reader();
  }

  /** Releases the reader. Call it when a commit failed after {@link holdReader}. */
  releaseReader(): void {
    const reader = this.snapshotReader;
    this.snapshotReader = undefined;
    if (reader?.isInTransaction) reader.exec('end');
  }

  /**
   * Resolves when all commits are on the disk.
   *
   * @throws {StoreFaultError} if the disk fails; its content is unknown then, and all writes stop
   */
  async sync(): Promise<void> {
    try {
      this.openSync ??= new WalSync(this.path);
      await this.openSync.run();
    } catch (cause) {
      this.damage ??= new StoreFaultError(
        'the disk did not confirm a write: check it, and restart the program',
        { cause },
      );
      throw this.damage;
    } finally {
      this.releaseReader();
    }
  }

  /** Whether the WAL must stay unchanged for a new follower that continues from its predecessor. */
  get isAwaited(): boolean {
    return isSuccessorDue(this.path, this.since);
  }

  /** The WAL size in pages, and the number still to checkpoint. Do not call it while the reader is held. */
  get wal(): { readonly pages: number; readonly open: number } {
    const [{ log, checkpointed }] = this.openReader?.run('pragma wal_checkpoint(noop)', []).rows ?? [empty];
    return { pages: Number(log), open: Number(log) - Number(checkpointed) };
  }

  /**
   * Checkpoints the WAL in a separate thread, if a connection is open.
   *
   * @throws {StoreUnavailableError} if it fails; the next checkpoint starts a new thread
   */
  async checkpoint(): Promise<void> {
    if (!this.isOpen) return;
    this.refuseFaults();
    const checkpointer = (this.checkpointer ??= new Checkpointer(this.path));
    try {
      await checkpointer.run();
    } catch (error) {
      this.checkpointer = undefined;
      await checkpointer.close();
      throw error;
    }
  }

  /** The file's health by the latest reads and writes. */
  get health(): StoreHealth {
    return this.writeError ? { state: 'read-only', error: this.writeError } : { state: 'ok' };
  }

  /** Records a write's outcome. Call it after each commit, and with each write error. */
  noteWrite(error?: unknown): void {
    if (error === undefined) this.writeError = undefined;
    else if (error instanceof StoreUnavailableError && !isBusy(error.cause)) this.writeError = error;
  }

  /** Translates an error; connections that may have kept a failed state are closed. */
  translate(error: unknown): unknown {
    const translated = translateSqliteError(error);
    if (translated === error || isBusy(error)) return translated;
    if (translated instanceof StoreFaultError) this.damage ??= translated;
    else if (translated instanceof StoreUnavailableError) this.closeFailed();
    return translated;
  }

  /**
   * Closes the reader, and the writer unless it is in a transaction. Connections to a lost file stay open, since they are its
   * only copy.
   */
  closeFailed(): void {
    if (this.identity && !this.identity.isThere) return;
    this.openReader?.close();
    this.openReader = undefined;
    if (this.openWriter?.isInTransaction) return;
    this.openWriter?.close();
    this.openWriter = undefined;
    this.forgetWal();
  }

  /** Closes both connections; an open transaction is rolled back. */
  closeBoth(): void {
    this.openReader?.close();
    this.openWriter?.close();
    this.openReader = this.openWriter = undefined;
    this.forgetWal();
  }

  /** Closes all connections; the last connection of a file checkpoints it and removes its WAL. */
  async close(): Promise<void> {
    this.closeBoth();
    const checkpointer = this.checkpointer;
    this.checkpointer = undefined;
    await checkpointer?.close();
  }

  private version(): unknown {
    return this.writer().run('pragma data_version', []).rows[0]?.dataVersion;
  }

  /** The last connection to close has removed it. */
  private forgetWal(): void {
    this.openSync?.close();
    this.openSync = undefined;
  }

  private get isOpen(): boolean {
    return this.openReader !== undefined || this.openWriter !== undefined;
  }

  /**
   * Opens a connection. The first connection identifies our file: from then on a replacement is rejected and a missing file is
   * not created.
   */
  private open(access: 'read' | 'write'): SqliteFile {
    this.checkIdentity();
    const isFirst = !this.isOpen;
    if (!this.identity) refuseUnwritable(this.path);
    const file = new SqliteFile(this.path, access);
    if (!this.identity) this.identity = new FileIdentity(this.path);
    else if (isFirst) this.identity.rememberWal();
    return file;
  }

  /** Checks the file, and the WAL if a connection is open. Otherwise we have no WAL. */
  private checkIdentity(): void {
    this.identity?.checkFile(this.isOpen);
    if (this.isOpen) this.identity?.checkWal();
  }

  /**
   * Checkpoints acknowledged writes from the WAL, which the next start may not find, into the file that is still
   * open.
   */
  private checkpointInPlace(): void {
    try {
      if (!this.openWriter?.isInTransaction) this.openWriter?.exec('pragma wal_checkpoint');
    } catch {
      // Tried again with the next check.
    }
  }

  private deadline(): number {
    return performance.now() + this.timeouts.waitMs;
  }
}
