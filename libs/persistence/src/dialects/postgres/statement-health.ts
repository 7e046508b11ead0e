import { StoreUnavailableError } from '../../errors';

/** The SQLSTATE codes for a server that accepts reads and rejects writes. */
const writeErrors = new Set(['53100', '25006']);

/** Records when the latest statement succeeded, and whether the latest write succeeded, because only that detects a full disk. */
export class StatementHealth {
  private lastError: StoreUnavailableError | undefined;
  private succeededAt = -Infinity;

  /** The reason why the latest write failed. */
  get error(): StoreUnavailableError | undefined {
    return this.lastError;
  }

  /** Whether a statement succeeded at a `performance.now()` time or later. */
  hasSucceededSince(time: number): boolean {
    return this.succeededAt >= time;
  }

  /** Records a success. Call it with each successful statement. */
  noteSuccess(text: string): void {
    this.succeededAt = performance.now();
    if (this.lastError && /^(insert|update|delete|with) /.test(text)) this.lastError = undefined;
  }

  /** Records a failure. Call it with each translated error. */
  noteError(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) return;
    const { cause } = error;
    if (cause instanceof Error && 'code' in cause && writeErrors.has(String(cause.code)))
      this.lastError = error;
  }
}
