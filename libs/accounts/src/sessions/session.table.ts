import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** A session, which access tokens refer to and refresh tokens extend. Deleted with its account. */
export interface SessionTable {
  id: Generated<number>;
  accountId: number;
  /** The `sid` claim of its access tokens; unique with the account (`session_account_id_sid_unique`). */
  sid: string;
  /** The HMAC key for this session's refresh tokens, 256 random bits in base64url. The key alone cannot make a token. */
  tagKey: string;
  /** The client's address at sign-in. */
  ip: string;
  createdAt: Date;
  /** The time when its last refresh token was issued. */
  lastUsedAt: Date;
  /** The time when the last refresh token and the session expire. */
  expiresAt: Date;
  /** Refreshes since {@link refreshesFromAt}. */
  refreshes: Generated<number>;
  /** The current hour's first refresh; `null` before any. */
  refreshesFromAt: Date | null;
  /** The audit event that gathers a day's rotations; no foreign key, because events are deleted by age. */
  turnsEventId: number | null;
  /** The application that opened it, which alone refreshes it; `null`: from an earlier release, refreshed by any. */
  audience: string | null;
  /** The device name from the client or its `User-Agent`, such as `Firefox on Windows`; `null` if it is unknown. */
  device: string | null;
  /** The `amr` claim of its access tokens, separated by spaces. */
  amr: string;
  /** The time when an identity provider verified the user, by its clock. If it is `null`, the session's opening counts. */
  authenticatedAt: Date | null;
}

/** A session's newest refresh token, and its predecessor. */
export interface RefreshTokenTable {
  /** The account; primary key together with the hash. */
  accountId: number;
  /** The token's SHA-256, in base64url. The token itself is not stored. */
  hash: string;
  sessionId: number;
  /** The time when it was rotated; `null` for the newest token. */
  turnedAt: Date | null;
  /** The salt from which, with the token itself, the successor is derived. */
  salt: string | null;
}

/** A selected session. */
export type SessionRow = Selectable<SessionTable>;
/** A selected refresh token. */
export type RefreshTokenRow = Selectable<RefreshTokenTable>;

declare module '@app/persistence' {
  interface Tables {
    session: SessionTable;
    refreshToken: RefreshTokenTable;
  }
}

export const sessionTable = defineTable('session', {
  secrecy: {
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
    amr: 'internal',
    authenticatedAt: 'internal',
  },
  exported: { part: 'sessions' },
  migrations: {
    '0002-session': { apply: createSession },
    '0022-session-authenticated-at': { apply: addAuthenticatedAt },
  },
});

export const refreshTokenTable = defineTable('refreshToken', {
  secrecy: {
    accountId: 'internal',
    hash: 'secret',
    sessionId: 'internal',
    turnedAt: 'internal',
    salt: 'secret',
  },
  exported: { not: 'hashes of tokens; the session is exported' },
  migrations: { '0003-refresh-token': { apply: createRefreshToken } },
});

async function createSession(
  db: MigrationContext,
  { integer, timestamp, text, ownedBy, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('session')
    .$call(strictTypes)
    .$call(ownedBy('session', 'account'))
    .addColumn('sid', text, (column) => column.notNull())
    .addColumn('tag_key', text, (column) => column.notNull())
    .addColumn('audience', text)
    .addColumn('device', text)
    .addColumn('amr', text, (column) => column.notNull())
    .addColumn('ip', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addColumn('refreshes', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('refreshes_from_at', timestamp)
    .addColumn('turns_event_id', integer)
    .addUniqueConstraint('session_account_id_sid_unique', ['account_id', 'sid']);
  await table.execute();
  await db.schema.createIndex('session_expires_at').on('session').column('expires_at').execute();
}

async function addAuthenticatedAt({ schema }: MigrationContext, { timestamp }: Columns): Promise<void> {
  await schema.alterTable('session').addColumn('authenticated_at', timestamp).execute();
}

async function createRefreshToken(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('refresh_token')
    .$call(strictTypes)
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('session_id', integer, (column) => column.notNull())
    .addColumn('turned_at', timestamp)
    .addColumn('salt', text)
    .addPrimaryKeyConstraint('refresh_token_pkey', ['account_id', 'hash'])
    .addForeignKeyConstraint(
      'refresh_token_account_id_session_id_fkey',
      ['account_id', 'session_id'],
      'session',
      ['account_id', 'id'],
      (key) => key.onDelete('cascade'),
    );
  await table.execute();
  const index = db.schema.createIndex('refresh_token_account_id_session_id').on('refresh_token');
  await index.columns(['account_id', 'session_id']).execute();
}
