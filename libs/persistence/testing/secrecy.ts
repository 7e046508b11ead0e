import { sql } from 'kysely';
import type { Database } from '../src/database';
import type { Tables } from '../src/tables/tables';

/**
 * Who may read a column in an answer.
 *
 * `secret`: nobody, be it its name or what it holds. `internal`: what it holds tells nothing, and its name is in no
 * answer. `operators`: administrators alone. `open`: whoever may read the row.
 */
export type Secrecy = 'secret' | 'internal' | 'operators' | 'open';

/** Every column of every table. A new one has its place here, or neither the compiler nor the suites are content. */
export const secrecy: { readonly [Table in keyof Tables]: Readonly<Record<keyof Tables[Table], Secrecy>> } = {
  account: {
    id: 'open',
    email: 'open',
    emailKey: 'internal',
    passwordHash: 'secret',
    passwordResetToken: 'secret',
    role: 'operators',
    firstName: 'operators',
    lastName: 'operators',
    fullName: 'operators',
    lastLoginIp: 'operators',
    lastLoginAt: 'internal',
    disabledAt: 'operators',
    emailChangedAt: 'internal',
    passwordChangedAt: 'internal',
    tokenGeneration: 'internal',
    keptSession: 'secret',
    createdAt: 'open',
  },
  apiKey: {
    id: 'open',
    accountId: 'internal',
    name: 'open',
    keyHash: 'secret',
    keyEnds: 'internal',
    createdAt: 'open',
    lastUsedAt: 'open',
  },
  attempt: { subject: 'secret', count: 'internal', startedAt: 'internal', latestAt: 'internal' },
  auditEvent: {
    id: 'open',
    kind: 'operators',
    accountId: 'operators',
    actorId: 'operators',
    ip: 'operators',
    detail: 'operators',
    createdAt: 'open',
  },
  item: { id: 'open', sku: 'open', name: 'open', price: 'open', createdAt: 'open' },
  order: { id: 'open', accountId: 'internal', createdAt: 'open' },
  orderItem: { orderId: 'internal', position: 'internal', sku: 'open', quantity: 'open' },
  post: { id: 'open', slug: 'open', authorId: 'open', createdAt: 'open' },
  refreshToken: { hash: 'secret', sessionId: 'internal', turnedAt: 'internal', salt: 'secret' },
  revocation: { id: 'internal', kind: 'internal', subject: 'secret', createdAt: 'internal' },
  session: {
    id: 'open',
    accountId: 'internal',
    sid: 'secret',
    tagKey: 'secret',
    ip: 'open',
    createdAt: 'open',
    lastUsedAt: 'open',
    expiresAt: 'open',
  },
};

/** A column of the store, named as TypeScript names it. */
export interface ClassifiedColumn {
  readonly table: string;
  readonly column: string;
  /** `undefined` when nobody has said yet. */
  readonly secrecy: Secrecy | undefined;
}

/** Every column that the store really has, the list of migrations aside. */
export async function classifiedColumns(db: Database): Promise<readonly ClassifiedColumn[]> {
  const tables = await db.introspection.getTables();
  return tables
    .filter(({ name }) => name !== 'schema_migration')
    .flatMap(({ name, columns }) => {
      const table = camelCased(name);
      const known: Readonly<Record<string, Secrecy>> = Reflect.get(secrecy, table) ?? {};
      return columns.map((one) => {
        const column = camelCased(one.name);
        return { table, column, secrecy: known[column] };
      });
    });
}

/** The texts that stand in the columns of one secrecy at this moment, by column. */
export async function textsOf(
  db: Database,
  wanted: Secrecy,
): Promise<readonly { readonly where: string; readonly text: string }[]> {
  const columns = (await classifiedColumns(db)).filter((one) => one.secrecy === wanted);
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const { rows } = await sql<{ found: unknown }>`
        select ${sql.ref(column)} as found from ${sql.table(table)}`.execute(db);
      return rows.map(({ found: text }) => ({ where: `${table}.${column}`, text }));
    }),
  );
  return found.flat().flatMap(({ where, text }) => (typeof text === 'string' ? [{ where, text }] : []));
}

function camelCased(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
