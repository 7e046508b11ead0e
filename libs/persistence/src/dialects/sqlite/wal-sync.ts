import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { publishTime, storeChannels } from '../../channels';

const sync = promisify(fdatasync);

/** Makes WAL writes durable while this thread serves requests. */
export class WalSync {
  private readonly file: number;
  private running = 0;
  private isClosed = false;

  /** @param path the database path; its WAL must exist */
  constructor(path: string) {
    this.file = openSync(`${path}-wal`, 'r+');
  }

  /** Resolves when all that was written before the call is on the disk. */
  async run(): Promise<void> {
    this.running += 1;
    const startedAt = performance.now();
    try {
      await sync(this.file);
      publishTime(storeChannels.sync, startedAt);
    } finally {
      this.running -= 1;
      this.closeUnused();
    }
  }

  /** Closes the file, which a running sync keeps open. Call it once. */
  close(): void {
    this.isClosed = true;
    this.closeUnused();
  }

  private closeUnused(): void {
    if (this.isClosed && this.running === 0) closeSync(this.file);
  }
}
