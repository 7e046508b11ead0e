import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type ApiKeyRow,
  type Database,
  inTransaction,
  type Queries,
  StoreUnavailableError,
} from '@app/persistence';
import type { Slice } from '@app/paging';
import type { SignedInUser } from './access-check';
import type { AuditLog } from './audit-log';
import { AccountDisabledError, TooManyKeysError } from './errors';

/** A caller who is authenticated by an API key. */
export interface ApiKeyCaller extends SignedInUser {
  readonly keyId: number;
}

/** A new API key; afterwards the full key is not available. */
export interface CreatedApiKey {
  readonly row: ApiKeyRow;
  /** The whole key, to be sent as `X-API-Key`. */
  readonly key: string;
}

/** Per account. */
const MAX_KEYS = 100;
/** Recognizable by people and by secret scanners. */
const PREFIX = 'sluice_';
const KEY_BYTES = 32;
const KEY = /^sluice_[\w-]{43}$/;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** API keys, which authenticate as an account; only a hash is stored. */
export class ApiKeys {
  constructor(
    private readonly db: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @throws TooManyKeysError if the account has the maximum number of keys */
  async create(accountId: number, name: string, ip?: string): Promise<CreatedApiKey> {
    const key = PREFIX + randomBytes(KEY_BYTES).toString('base64url');
    const row = await inTransaction(this.db, async (db) => {
      await checkKeyLimit(accountId, db);
      const created = await db
        .insertInto('apiKey')
        .values({ accountId, name, keyHash: hashOf(key), keyEnds: endsOf(key), createdAt: new Date() })
        .returningAll()
        .executeTakeFirstOrThrow();
      await this.audit.record({ kind: 'key-made', accountId, ip, detail: { keyId: created.id } }, db);
      return created;
    });
    return { row, key };
  }

  /** Oldest first. */
  list(accountId: number, { limit, offset, after }: Slice, db: Queries = this.db): Promise<ApiKeyRow[]> {
    const keys = db.selectFrom('apiKey').selectAll().where('accountId', '=', accountId);
    const slice = keys.orderBy('id').limit(limit);
    return (after === undefined ? slice.offset(offset) : slice.where('id', '>', after)).execute();
  }

  findById(id: number, db: Queries = this.db): Promise<ApiKeyRow | undefined> {
    return db.selectFrom('apiKey').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** @returns whether the account had the key */
  revoke(accountId: number, id: number, ip?: string): Promise<boolean> {
    return inTransaction(this.db, async (db) => {
      const { numDeletedRows } = await db
        .deleteFrom('apiKey')
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) return false;
      await this.audit.record({ kind: 'key-ended', accountId, ip, detail: { keyId: id } }, db);
      return true;
    });
  }

  /**
   * Revokes every key of an account.
   *
   * @returns how many there were
   */
  async revokeAll(accountId: number, db: Queries): Promise<number> {
    const { numDeletedRows } = await db
      .deleteFrom('apiKey')
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /**
   * Finds the caller of a key. A malformed key costs no query.
   *
   * @param key the unvalidated value of the header
   * @returns the caller, or `undefined` if the key is unknown or revoked
   * @throws AccountDisabledError if the account is disabled
   */
  async callerOf(key: string, ip?: string): Promise<ApiKeyCaller | undefined> {
    if (!KEY.test(key)) return undefined;
    const hash = hashOf(key);
    const found = await this.db
      .selectFrom('apiKey')
      .innerJoin('account', 'account.id', 'apiKey.accountId')
      .select(['apiKey.id', 'keyHash', 'lastUsedAt', 'accountId', 'email', 'role', 'disabledAt'])
      .where('keyHash', '=', hash)
      .executeTakeFirst();
    if (found === undefined || !isSame(found.keyHash, hash)) return undefined;
    if (found.disabledAt !== null) throw new AccountDisabledError();
    await this.recordUse(found, ip);
    return { userId: found.accountId, username: found.email, role: found.role, keyId: found.id };
  }

  /** A database that is read-only at the moment does not invalidate the key. */
  private async recordUse(
    key: Pick<ApiKeyRow, 'id' | 'accountId' | 'lastUsedAt'>,
    ip?: string,
  ): Promise<void> {
    const now = new Date();
    if (!isLongAgo(key.lastUsedAt, now, MINUTE)) return;
    try {
      await inTransaction(this.db, (db) => this.writeUse(key, now, ip, db));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  /** At most once a minute for all processes; in the audit log at most once an hour. */
  private async writeUse(
    { id, accountId, lastUsedAt }: Pick<ApiKeyRow, 'id' | 'accountId' | 'lastUsedAt'>,
    now: Date,
    ip: string | undefined,
    db: Queries,
  ): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('apiKey')
      .set({ lastUsedAt: now })
      .where('id', '=', id)
      .where('lastUsedAt', lastUsedAt === null ? 'is' : '=', lastUsedAt)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n || hourOf(lastUsedAt) === hourOf(now)) return;
    await this.audit.record({ kind: 'key-used', accountId, ip, detail: { keyId: id } }, db);
  }
}

async function checkKeyLimit(accountId: number, db: Queries): Promise<void> {
  const keys = await db
    .selectFrom('apiKey')
    .select('id')
    .where('accountId', '=', accountId)
    .limit(MAX_KEYS)
    .execute();
  if (keys.length === MAX_KEYS) throw new TooManyKeysError(MAX_KEYS);
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** The input of `@Masked()`, which replaces the middle. */
function endsOf(key: string): string {
  return `${key.slice(0, 2)}…${key.slice(-2)}`;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** A time in the future was written before the clock was set back. */
function isLongAgo(moment: Date | null, now: Date, milliseconds: number): boolean {
  if (moment === null) return true;
  return Math.abs(now.getTime() - moment.getTime()) >= milliseconds;
}

function hourOf(moment: Date | null): number | undefined {
  return moment === null ? undefined : Math.floor(moment.getTime() / HOUR);
}
