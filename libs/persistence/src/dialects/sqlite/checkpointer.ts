import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { StoreUnavailableError } from '../../errors';

/**
 * The thread code: opens the file once, and checkpoints it for each message. It is a text, because each builder would have to
 * bundle a separate file.
 */
const source = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData: path } = require('node:worker_threads');
  let database;
  parentPort.on('message', (task) => {
    if (task === 'close') {
      database?.close();
      return parentPort.close();
    }
    try {
      database ??= new DatabaseSync(path, { timeout: 0 });
      database.exec('pragma synchronous = normal; pragma wal_checkpoint(passive)');
      parentPort.postMessage(undefined);
    } catch (error) {
      parentPort.postMessage(String(error));
    }
  });
`;

/** The limits for the thread's V8 heap. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * Copies a WAL into its database in a separate thread, with the required syncs. Callers never wait for it, because a passive
 * checkpoint copies everything committed at its start while other connections read and write.
 */
export class Checkpointer {
  private readonly thread: Worker;
  private readonly end: Promise<unknown[]>;
  private running: Promise<void> = Promise.resolve();

  /** Starts the thread, which does not keep the process alive. */
  constructor(path: string) {
    this.thread = new Worker(source, { eval: true, workerData: path, env: {}, resourceLimits });
    this.thread.unref();
    this.end = new Promise((resolve) => {
      this.thread.once('error', (error) => resolve([String(error)]));
      this.thread.once('exit', () => resolve(['the thread has ended']));
    });
  }

  /**
   * Checkpoints once, after all checkpoints requested before.
   *
   * @throws {StoreUnavailableError} if the checkpoint fails; the WAL keeps the remaining pages
   */
  run(): Promise<void> {
    const run = this.running.then(() => this.runNow());
    this.running = run.catch(() => undefined);
    return run;
  }

  private async runNow(): Promise<void> {
    const reply = once(this.thread, 'message');
    this.thread.postMessage('checkpoint', []);
    const [failure] = await Promise.race([reply, this.end]);
    if (failure !== undefined)
      throw new StoreUnavailableError(`the WAL was not checkpointed: ${String(failure)}`);
  }

  /** Closes the connection after a running checkpoint, and ends the thread. */
  async close(): Promise<void> {
    this.thread.ref();
    this.thread.postMessage('close', []);
    await this.end;
  }
}
