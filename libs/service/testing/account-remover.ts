import { DatabaseSync } from 'node:sqlite';
import type { Database } from '@app/persistence';
import { Client, DatabaseError } from 'pg';

/** Removes accounts like a second program that works at the same time. */
export interface AccountRemover {
  /**
   * Removes an account.
   *
   * @returns `false` if it would have to wait for a lock; the account is unchanged then
   */
  remove(id: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Connects to a handle's store directly, without our libraries. */
export async function openAccountRemover(db: Database): Promise<AccountRemover> {
  const [server] = db.servers ?? [];
  return server === undefined ? onSqlite(db.place) : onPostgres(server);
}

const BUSY = 5;

function onSqlite(path: string): AccountRemover {
  const store = new DatabaseSync(path, { timeout: 0 });
  const deletion = store.prepare('delete from account where id = ?');
  return {
    remove: async (id) => {
      try {
        return deletion.run(id).changes > 0;
      } catch (error) {
        if (Object(error).errcode === BUSY) return false;
        throw error;
      }
    },
    close: async () => store.close(),
  };
}

const LOCK_NOT_AVAILABLE = '55P03';

async function onPostgres(server: string): Promise<AccountRemover> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`set lock_timeout = '2ms'`);
  return {
    remove: async (id) => {
      try {
        return (await client.query('delete from account where id = $1', [id])).rowCount === 1;
      } catch (error) {
        if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
        throw error;
      }
    },
    close: () => client.end(),
  };
}
