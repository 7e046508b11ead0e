import { closeSync, fstatSync, openSync, read as readBytes, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Database } from '../database/database';
import { FollowerRole } from '../dialects/sqlite/follower-role';
import { BackupError } from '../errors';
import { keepUnsent, readUnsent } from './unsent-parts';
import { FRAME_HEADER, WAL_HEADER, WalHeader, type WalPart, type WalPosition } from './wal-format';

const read = promisify(readBytes);

/** The number of pages (16 MiB) from which a WAL is restarted after it is read. */
const FULL_PAGES = 4_000;

/**
 * Reads the WAL of a SQLite file while programs write it, so that no commit is missed. A reader with a snapshot prevents
 * restarts of the WAL, except through {@link restart}. A WAL that was restarted nevertheless is detected by its salts.
 */
export class WalFollower {
  private readonly db: Database;
  private readonly role: FollowerRole;
  private readonly file: number;
  /**
   * The read-only connection that holds the snapshot. A writable connection would, as the last connection to close, remove the
   * WAL, which the next start follows.
   */
  private readonly holder: DatabaseSync;
  private readonly probe: DatabaseSync;
  private header: WalHeader;
  private frame = 0;
  private wasResumed = false;
  private isClosed = false;
  /** Whether WAL headers must follow each other. Until then, the content of the WAL may follow nothing. */
  private isFollowing = false;
  /** The parts that were read and not yet returned. */
  private unreadParts: WalPart[] = [];
  /** The parts that were read and not yet known to be sent. */
  private unsent: WalPart[] = [];
  /** The last position known to be sent. */
  private sent: WalPosition = { frame: 0, checksum: '' };
  /** The number of leading unsent parts in the file. */
  private kept = 0;
  /** Whether the file has all unsent parts and the current WAL is the last WAL in it. */
  private isKept = false;

  private constructor(db: Database, role: FollowerRole) {
    this.db = db;
    this.role = role;
    this.holder = new DatabaseSync(db.place, { readOnly: true });
    this.probe = new DatabaseSync(db.place, { readOnly: true });
    this.holder.exec(HOLD);
    this.file = openSync(`${db.place}-wal`, 'r');
    this.header = this.readHeader();
  }

  /**
   * @param find returns the position where an earlier follower stopped; called when no other program can follow and the WAL is
   *   held
   * @returns `undefined` if a different program follows
   */
  static async open(
    db: Database,
    find: () => Promise<WalPosition | undefined> = async () => undefined,
  ): Promise<WalFollower | undefined> {
    await db.check();
    const role = FollowerRole.take(db.place);
    if (!role) return undefined;
    let follower: WalFollower | undefined;
    try {
      // It holds the WAL of the last program from now on; until now, nobody has checkpointed it.
      follower = new WalFollower(db, role);
      const from = await find();
      if (from) await follower.resume(from);
      // Without a frame that is not checkpointed, a snapshot holds nothing.
      await follower.restart();
      if (!follower.wasResumed) await follower.forget();
      follower.isFollowing = true;
      db.closeWith(follower);
      return follower;
    } catch (error) {
      if (follower) follower.close();
      else role.close();
      throw error;
    }
  }

  /** Whether nothing was missed since the position from `find`. */
  get isResumed(): boolean {
    return this.wasResumed;
  }

  /**
   * Reads everything committed since the last call. Calls must not overlap each other or {@link restart}.
   *
   * @throws {WalBrokenError} if a commit was missed
   */
  async read(): Promise<readonly WalPart[]> {
    const { pages, open } = await this.readNew();
    this.role.noteReading();
    // A snapshot of a WAL that is checkpointed as a whole would not hold it: the old one, which is as new, stays.
    if (open > 0) this.holder.exec(`end; ${HOLD}`);
    if (pages >= FULL_PAGES) await this.restart();
    return this.unreadParts.splice(0);
  }

  /**
   * Records that all parts up to a position were sent and are available to a successor. Until then they are kept, in a file if
   * the WAL is restarted.
   */
  async noteSent(position: WalPosition): Promise<void> {
    const count = this.unsent.findIndex((part) => part.position === position) + 1;
    if (count > 0) this.sent = position;
    this.unsent.splice(0, count);
    if (this.kept === 0) return;
    this.kept = Math.max(this.kept - count, 0);
    if (this.kept === 0) await this.removeKept();
  }

  /** The number of committed bytes that were not read. */
  get unread(): number {
    return (this.pages().pages - this.frame) * this.frameSize;
  }

  /** Restarts the WAL. Parts read meanwhile are in the next {@link read}. */
  async restart(): Promise<void> {
    const readRest = async () => {
      await this.readNew();
      await this.keep();
      // Nobody can begin the WAL anew while the write lock is held.
      if (this.holder.isTransaction) this.holder.exec('end');
    };
    await this.db.restartWal(readRest, () => {
      this.holder.exec(HOLD);
      const header = this.readHeader();
      if (this.isFollowing && !header.follows(this.header)) throw new WalBrokenError();
      if (!header.equals(this.header)) this.frame = 0;
      this.header = header;
      this.isKept = false;
    });
  }

  /**
   * Closes the follower. Idempotent. The WAL stays for the next follower if every other connection was closed before, as by the
   * database.
   */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    closeSync(this.file);
    this.probe.close();
    this.holder.close();
    this.role.close();
  }

  private async resume(from: WalPosition): Promise<void> {
    const { pages } = this.pages();
    if (await this.isInWal(from, pages)) this.frame = from.frame;
    else if (!(await this.resumeKept(from))) return;
    this.sent = from;
    this.wasResumed = this.isFollowing = true;
  }

  private async isInWal({ frame, checksum }: WalPosition, pages: number): Promise<boolean> {
    if (frame === 0 || frame > pages) return false;
    return checksumOf(await this.readFrames(frame - 1, frame)) === checksum;
  }

  /** Continues from the parts that the last follower kept, if they end in this WAL or the previous WAL. */
  private async resumeKept({ frame, checksum }: WalPosition): Promise<boolean> {
    const kept = await readUnsent(this.keptPath);
    if (!kept || frame === 0) return false;
    const positions = [kept.from, ...kept.parts.map(({ position }) => position)];
    const sent = positions.findIndex(
      (position) => position.frame === frame && position.checksum === checksum,
    );
    const last = new WalHeader(kept.header);
    if (sent === -1 || !this.header.follows(last)) return false;
    this.frame = this.header.equals(last) ? kept.frame : 0;
    for (const part of kept.parts.slice(sent)) this.add(part);
    this.kept = this.unsent.length;
    return true;
  }

  private add(part: WalPart): void {
    this.unreadParts.push(part);
    this.unsent.push(part);
    this.isKept = false;
  }

  /** Keeps the unsent parts in a file. Call it before the WAL may be restarted. */
  private async keep(): Promise<void> {
    if (this.isKept || !this.isFollowing || this.unsent.length === 0) return;
    const [parts, { bytes: header }] = [[...this.unsent], this.header];
    await keepUnsent(this.keptPath, { header, frame: this.frame, from: this.sent, parts });
    this.kept = this.unsent.length;
    this.isKept = true;
  }

  private async forget(): Promise<void> {
    this.unreadParts = [];
    this.unsent = [];
    this.kept = 0;
    await this.removeKept();
  }

  private async removeKept(): Promise<void> {
    this.isKept = false;
    await rm(this.keptPath, { force: true });
  }

  private get keptPath(): string {
    return `${this.db.place}-unsent`;
  }

  private async readNew(): Promise<{ readonly pages: number; readonly open: number }> {
    const counted = this.pages();
    const at = new Date();
    if (counted.pages > this.frame) {
      const frames = await this.readFrames(this.frame, counted.pages);
      this.frame = counted.pages;
      this.add({
        at,
        frames,
        position: { frame: counted.pages, checksum: checksumOf(frames.subarray(-this.frameSize)) },
      });
    }
    const isReplaced = statSync(`${this.db.place}-wal`).ino !== fstatSync(this.file).ino;
    if (isReplaced || !this.readHeader().equals(this.header)) throw new WalBrokenError();
    return counted;
  }

  private get frameSize(): number {
    return FRAME_HEADER + this.header.pageSize;
  }

  private async readFrames(from: number, to: number): Promise<Buffer> {
    const size = this.frameSize;
    const frames = Buffer.alloc((to - from) * size);
    for (let at = 0; at < frames.length;) {
      const { bytesRead } = await read(
        this.file,
        frames,
        at,
        frames.length - at,
        WAL_HEADER + from * size + at,
      );
      if (bytesRead === 0) throw new WalBrokenError();
      at += bytesRead;
    }
    return frames;
  }

  /** Counts the committed pages in the WAL, and the number still to checkpoint. */
  private pages() {
    const { log, checkpointed } = this.probe.prepare('pragma wal_checkpoint(noop)').get() ?? {};
    return { pages: Number(log), open: Number(log) - Number(checkpointed) };
  }

  private readHeader(): WalHeader {
    const bytes = Buffer.alloc(WAL_HEADER);
    readSync(this.file, bytes, 0, WAL_HEADER, 0);
    return new WalHeader(bytes);
  }
}

/** A commit was missed, so a new backup must be made. */
export class WalBrokenError extends BackupError {
  override readonly name = 'WalBrokenError';

  constructor() {
    super('the WAL was begun anew by another program, or replaced: a new backup is made');
  }
}

const HOLD = 'begin; select 1 from sqlite_schema limit 1';

function checksumOf(frame: Buffer): string {
  return frame.subarray(16, FRAME_HEADER).toString('hex');
}
