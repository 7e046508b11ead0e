import type { Database } from '@app/persistence';
import { firstEmail, itemAt, lines, sizes } from './routes.mts';

const day = new Date('2026-01-02T03:04:05.678Z');
/** The number of rows in a statement. */
const batch = 500;

/** Creates the tables with the `api` migrations and inserts the rows for {@link sizes}. */
export async function fill(url: string): Promise<void> {
  const { migrate, openDatabase } = await import('@app/persistence');
  const { schemasOf } = await import('@app/service');
  const { program } = await import('../../apps/api/src/api.program.ts');
  const db = openDatabase(url);
  try {
    await migrate(db, schemasOf(program).all);
    await insertAll(db);
  } finally {
    await db.destroy();
  }
}

async function insertAll(db: Database): Promise<void> {
  for (const ids of batches(sizes.accounts))
    await db.insertInto('account').values(ids.map(accountAt)).execute();
  for (const ids of batches(sizes.items))
    await db
      .insertInto('item')
      .values(ids.map((id) => ({ ...itemAt(id), createdAt: day })))
      .execute();
  for (const ids of batches(sizes.orders)) {
    await db
      .insertInto('order')
      .values(ids.map((id) => ({ accountId: ((id - 1) % sizes.buyers) + 1, createdAt: day })))
      .execute();
    await db.insertInto('orderItem').values(ids.flatMap(linesOf)).execute();
  }
}

function batches(count: number): number[][] {
  return Array.from({ length: Math.ceil(count / batch) }, (_, at) =>
    Array.from({ length: Math.min(batch, count - at * batch) }, (__, step) => at * batch + step + 1),
  );
}

/** Returns the e-mail of an account, which a token names. */
export function emailAt(id: number): string {
  return id === 1 ? firstEmail : `user-${id}@example.com`;
}

function accountAt(id: number) {
  return {
    email: emailAt(id),
    emailKey: emailAt(id),
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aGFzaA',
    passwordChangedAt: day,
    role: id === 1 ? ('admin' as const) : ('user' as const),
    createdAt: day,
  };
}

function linesOf(orderId: number) {
  return lines.map((line, position) => ({ orderId, position, ...line }));
}
