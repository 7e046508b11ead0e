import type { Readable } from 'node:stream';
import { type Database, inTransaction } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { schemasOf } from '@app/service';
import { type UploadedFile, UploadStore } from '@app/uploads';
import { sql } from 'kysely';
import { PicturesStore } from './pictures.store';
import { pictureTable } from './pictures.table';

/** Files of which only the removals matter. */
class RemovedFiles extends UploadStore {
  readonly keys: string[] = [];

  write(): Promise<string> {
    throw new TypeError('nothing is written');
  }

  read(): Promise<Readable> {
    throw new TypeError('nothing is read');
  }

  async remove(key: string): Promise<void> {
    this.keys.push(key);
  }
}

describe.runIf(process.env.TEST_DATABASE_URL)('pictures that replace each other', () => {
  const current = useMigratedDatabase(schemasOf({ name: 'api', tables: [pictureTable] }).all);

  async function addAccount(): Promise<number> {
    const { id } = await current.db
      .insertInto('account')
      .values({
        email: 'ada@example.com',
        emailKey: 'ada@example.com',
        passwordHash: 'a hash',
        passwordChangedAt: new Date(),
        createdAt: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  it('see the one that is not committed yet', async () => {
    const accountId = await addAccount();
    const files = new RemovedFiles();
    const [here, there] = [current.db, current.openAnother()];
    let isReplaced = false;
    let second: Promise<unknown> = Promise.resolve();

    await inTransaction(here, async (db) => {
      await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      const first = { accountId, fileKey: 'first', bytes: 1, createdAt: new Date() };
      await db.insertInto('picture').values(first).execute();
      second = new PicturesStore(there, files)
        .replace(accountId, fileOf('second'))
        .then(() => (isReplaced = true));
      await vi.waitFor(async () => expect(isReplaced || (await isWaiting(there))).toBe(true), 10_000);
    });
    await second;

    const rows = await current.db.selectFrom('picture').select(['accountId', 'fileKey']).execute();
    expect(rows).toEqual([{ accountId, fileKey: 'second' }]);
    expect(files.keys).toEqual(['first']);
  });
});

function fileOf(key: string): UploadedFile {
  return { key, bytes: 1, name: 'me.png', type: 'image/png' };
}

/** Whether a transaction waits for a row that another one has locked. */
async function isWaiting(db: Database): Promise<boolean> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(db)).rows.length > 0;
}
