import { sql } from 'kysely';
import type { Database } from '../src/database';
import type { Tables } from '../src/tables/tables';

/**
 * Who may read a column in a response.
 *
 * `secret`: nobody may see its name or its values. `internal`: its name is in no response, its values are harmless.
 * `owner`: its account alone, in its export. `operators`: administrators, and its account in its export. `open`: everyone who may read the row.
 */
export type Secrecy = 'secret' | 'internal' | 'owner' | 'operators' | 'open';

/** Every column of every table; a missing one fails the type check and the tests. */
export const secrecy: { readonly [Table in keyof Tables]: Readonly<Record<keyof Tables[Table], Secrecy>> } = {
  account: {
    id: 'open',
    email: 'open',
    emailKey: 'internal',
    passwordHash: 'secret',
    passwordResetToken: 'secret',
    passwordResetExpiresAt: 'owner',
    role: 'operators',
    firstName: 'operators',
    lastName: 'operators',
    fullName: 'operators',
    lastLoginIp: 'operators',
    lastLoginAt: 'owner',
    disabledAt: 'operators',
    emailChangedAt: 'owner',
    emailVerifiedAt: 'owner',
    passwordChangedAt: 'owner',
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
    expiresAt: 'open',
    scopes: 'open',
  },
  attempt: { subject: 'secret', count: 'internal', startedAt: 'internal', latestAt: 'internal' },
  auditBlock: {
    number: 'operators',
    events: 'operators',
    digest: 'internal',
    hash: 'operators',
    newestAt: 'internal',
    prunedAt: 'internal',
  },
  auditEvent: {
    id: 'open',
    kind: 'operators',
    accountId: 'operators',
    actorId: 'operators',
    ip: 'operators',
    program: 'operators',
    detail: 'operators',
    createdAt: 'open',
    block: 'operators',
  },
  emailLink: {
    id: 'internal',
    kind: 'internal',
    accountId: 'internal',
    email: 'internal',
    emailKey: 'internal',
    tokenHash: 'secret',
    expiresAt: 'internal',
  },
  familiarAddress: { hash: 'secret', accountId: 'internal', lastSignInAt: 'internal' },
  idempotencyKey: {
    id: 'secret',
    fingerprint: 'internal',
    responseStatus: 'internal',
    responseHeaders: 'internal',
    responseBody: 'internal',
    createdAt: 'internal',
  },
  item: { id: 'open', sku: 'open', name: 'open', price: 'open', createdAt: 'open' },
  mail: {
    id: 'open',
    kind: 'operators',
    recipient: 'operators',
    sealed: 'secret',
    messageId: 'internal',
    attempts: 'operators',
    dueAt: 'operators',
    expiresAt: 'operators',
    sentAt: 'operators',
    failure: 'operators',
    createdAt: 'open',
  },
  order: { id: 'open', accountId: 'internal', size: 'internal', createdAt: 'open' },
  orderItem: { orderId: 'internal', position: 'internal', sku: 'open', quantity: 'open' },
  picture: { id: 'open', accountId: 'internal', fileKey: 'internal', bytes: 'open', createdAt: 'open' },
  post: { id: 'open', slug: 'open', authorId: 'open', createdAt: 'open' },
  rateCount: { subject: 'internal', count: 'internal', endsAt: 'internal' },
  refreshToken: { hash: 'secret', sessionId: 'internal', turnedAt: 'internal', salt: 'secret' },
  retention: { rule: 'internal', keepMs: 'internal', endsAt: 'internal' },
  revocation: {
    id: 'internal',
    kind: 'internal',
    subject: 'secret',
    createdAt: 'internal',
    transactionId: 'internal',
  },
  session: {
    id: 'open',
    accountId: 'internal',
    sid: 'secret',
    tagKey: 'secret',
    ip: 'open',
    createdAt: 'open',
    lastUsedAt: 'open',
    expiresAt: 'open',
    refreshes: 'internal',
    refreshesFromAt: 'internal',
    turnsEventId: 'internal',
    audience: 'internal',
    device: 'open',
  },
  sweepLease: { kind: 'internal', holder: 'internal', endsAt: 'internal' },
  timeFloor: { id: 'internal', reachedAt: 'internal' },
};

/** Members of columns that hold JSON, as far as they are named: everyone who may read the row reads them. */
export const openMembers: readonly string[] = [];

/** A column, in camelCase. */
export interface ClassifiedColumn {
  readonly table: string;
  readonly column: string;
  /** `undefined` if it is not classified. */
  readonly secrecy: Secrecy | undefined;
}

/** Every column in the database, except those of the table of migrations. */
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

/** All current text values of the columns with the given classification. */
export async function textsOf(
  db: Database,
  secrecyOf: Secrecy,
): Promise<readonly { readonly where: string; readonly text: string }[]> {
  const columns = (await classifiedColumns(db)).filter((one) => one.secrecy === secrecyOf);
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
