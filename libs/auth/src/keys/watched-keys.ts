import { stat } from 'node:fs/promises';
import type { SigningKey } from '../tokens/token-key';
import { readKeys } from './key-file';

/** The callbacks for a changed key file. */
export interface KeyListener {
  use(keys: readonly SigningKey[]): void;
  /** Called once for each state in which the file is missing or unusable. The keys stay. */
  reject(error: unknown): void;
}

const CHECK_EVERY_MS = 1_000;

/**
 * Reads a key file again after each change. It polls once a second, because notifications are missing on some file systems, and
 * for the target of a symbolic link that an orchestrator replaces.
 */
export class WatchedKeys {
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private seen: string | undefined;

  constructor(
    private readonly path: string,
    private readonly listener: KeyListener,
  ) {}

  /** @returns after the file was read */
  async start(): Promise<void> {
    await this.check();
    this.timer = setTimeout(() => void this.start(), CHECK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    await this.last;
    clearTimeout(this.timer); // which a check that has begun sets again
  }

  /** Reads the file if it was changed before this call. */
  check(): Promise<void> {
    this.last = this.last.then(() => this.read());
    return this.last;
  }

  private async read(): Promise<void> {
    const state = await stateOf(this.path);
    if (state === this.seen) return;
    this.seen = state;
    try {
      const keys = await readKeys(this.path);
      if (keys === undefined) throw new TypeError('there is no file');
      this.listener.use(keys);
    } catch (error) {
      this.listener.reject(error);
    }
  }
}

/** Returns a text that differs after each change. All unreadable files share the same text. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return '';
  }
}
