import type { Database } from '@app/persistence';
import { RevocationCache } from '../src/revocation/revocation-cache';
import { Revocations } from '../src/revocation/revocations';

/** A revoking transaction, which a test ends. */
export interface OpenRevocation {
  readonly sid: string;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

/** A program with concurrent open transactions, also on SQLite, until a test ends them. */
export class OpenRevocations {
  private readonly revocations: Revocations;

  /**
   * @param db a handle that nothing else uses
   * @param now monotonic milliseconds
   */
  constructor(
    private readonly db: Database,
    now?: () => number,
    readonly program?: string,
  ) {
    const cache = new RevocationCache(async () => undefined, { ttlSeconds: 60 });
    this.revocations = new Revocations(db, cache, { ...(now && { now }), ...(program && { program }) });
  }

  /** Begins a transaction that revokes a session, and numbers its entry. */
  async begin(sid: string): Promise<OpenRevocation> {
    const { db, revocations } = this;
    const [numbered, isCommitted] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    vi.spyOn(db, 'transact').mockImplementationOnce(async (work) => {
      const inserting = vi.spyOn(db, 'executeQuery').mockResolvedValue({ rows: [] });
      const value = await work(db);
      const inserts = [...inserting.mock.calls];
      inserting.mockRestore();
      numbered.resolve();
      if (!(await isCommitted.promise)) throw new Error('rolled back');
      for (const [query] of inserts) await db.executeQuery(query);
      return value;
    });
    const revoked = revocations
      .inTransaction(async (_, revoke) => revoke('session', sid))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'rolled back') throw error;
        },
      );
    await numbered.promise;
    const end = (commits: boolean) => {
      isCommitted.resolve(commits);
      return revoked;
    };
    return { sid, commit: () => end(true), rollBack: () => end(false) };
  }

  /** Revokes a session. */
  async revoke(sid: string): Promise<void> {
    await (await this.begin(sid)).commit();
  }
}
