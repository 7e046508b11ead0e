import { createHash, timingSafeEqual } from 'node:crypto';
import {
  Database,
  inTransaction,
  isAmong,
  type Queries,
  statement,
  StoreUnavailableError,
} from '@app/persistence';
import { isGranted, InsufficientScopeError } from '@app/auth';
import { type Slice, sortedList } from '@app/paging';
import { Inject, Injectable } from '@nestjs/common';
import type { ApiKeyRow } from './api-key.table';
import type { SignedInUser } from '../access/access-check';
import { AccountRoles } from '../account/account-roles';
import type { ApiKey } from './api-keys.dto';
import { type Actor, recordOf } from '../access/actor';
import { isKeyText, makeKeyText } from './api-key-text';
import { AuditLog } from '../audit/audit-log';
import { AccountDisabledError, TooManyApiKeysError } from '../errors';
import { type ActingCaller, checkStillSignedIn } from '../access/sign-in-check';
import { AccountsOptions } from '../options';

/** A caller who is authenticated by an API key. */
export interface ApiKeyCaller extends SignedInUser {
  readonly keyId: number;
  /** The scopes that restrict the key; `undefined` for full access to the account. */
  readonly scopes?: readonly string[];
}

/** A new API key. The full key is not available afterwards. */
export interface CreatedApiKey {
  readonly row: ApiKeyRow;
  /** The complete key, to be sent as `X-API-Key`. */
  readonly key: string;
}

/** The values that the owner chooses for a new key. */
export interface NewApiKey {
  readonly name: string;
  /** The lifetime in days; if absent, the key does not expire. */
  readonly expiresInDays?: number;
  /** The scopes that restrict the key; if absent, the key has full access to the account. */
  readonly scopes?: readonly string[];
}

/** The most keys per account. */
const MAX_KEYS = 100;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The API keys, which authenticate as an account. Only a hash is stored. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly db: Database,
    private readonly audit: AuditLog,
    private readonly roles: AccountRoles = new AccountRoles(),
    @Inject(AccountsOptions)
    private readonly options: Pick<AccountsOptions, 'verifiesEmails'> = { verifiesEmails: false },
  ) {}

  /**
   * Makes a key for the caller's account. If the request names no scopes, the key gets the scopes that restrict the caller.
   *
   * @throws InsufficientScopeError if the key's scopes exceed the caller's scopes
   * @throws the {@link checkStillSignedIn} errors
   * @throws TooManyApiKeysError if the account already has the maximum
   */
  async create(
    caller: ActingCaller & Pick<ApiKeyCaller, 'scopes'>,
    { name, expiresInDays, scopes = caller.scopes }: NewApiKey,
    ip?: string,
  ): Promise<CreatedApiKey> {
    checkNotWider(caller.scopes, scopes);
    const { userId: accountId } = caller;
    const key = makeKeyText();
    const createdAt = new Date();
    const expiresAt =
      expiresInDays === undefined ? null : new Date(createdAt.getTime() + expiresInDays * DAY);
    const row = await inTransaction(this.db, async (db) => {
      await checkStillSignedIn(caller, db);
      await checkKeyLimit(accountId, db);
      const created = await insert.one(db, {
        accountId,
        name,
        keyHash: hashOf(key),
        keyEnds: endsOf(key),
        createdAt,
        expiresAt,
        scopes: scopes === undefined ? null : [...new Set(scopes)].join(' '),
      });
      const detail = { keyId: created.id, ...(scopes && { scopes }) };
      await this.audit.record({ kind: 'api-key-created', accountId, ip, detail }, db);
      return created;
    });
    return { row, key };
  }

  /** Lists the keys of an account, oldest first. */
  list(accountId: number, slice: Slice, db: Queries = this.db): Promise<ApiKeyRow[]> {
    return list(db, slice, { accountId });
  }

  /** Counts the unexpired keys of an account. */
  async countActive(accountId: number, db: Queries = this.db): Promise<number> {
    return (await active.all(db, { accountId, now: new Date() })).length;
  }

  find(accountId: number, id: number, db: Queries = this.db): Promise<ApiKeyRow | undefined> {
    return byKey.first(db, { accountId, id });
  }

  /** @returns whether the account had the key */
  revoke(accountId: number, id: number, actor: Actor = {}): Promise<boolean> {
    return inTransaction(this.db, async (db) => {
      if ((await remove.count(db, { id, accountId })) === 0) return false;
      await this.audit.record(
        { kind: 'api-key-revoked', accountId, ...recordOf(actor), detail: { keyId: id } },
        db,
      );
      return true;
    });
  }

  /**
   * Revokes every account key, and records it.
   *
   * @param transaction the caller's transaction; by default a new transaction
   * @returns how many keys were revoked
   */
  revokeAll(accountId: number, actor: Actor = {}, transaction?: Queries): Promise<number> {
    const revoke = async (db: Queries) => {
      const keys = await this.removeAllOf(accountId, db);
      const detail = { all: true, keys };
      if (keys > 0)
        await this.audit.record({ kind: 'api-key-revoked', accountId, ...recordOf(actor), detail }, db);
      return keys;
    };
    return transaction === undefined ? inTransaction(this.db, revoke) : revoke(transaction);
  }

  /**
   * Revokes every account key in a transaction that records the reason itself.
   *
   * @returns how many keys were revoked
   */
  removeAllOf(accountId: number, db: Queries): Promise<number> {
    return removeAll.count(db, { accountId });
  }

  /**
   * Finds an API key's caller. A malformed or mistyped key costs no query.
   *
   * @param key the unvalidated header value
   * @returns the caller, or `undefined` if the key is unknown, revoked or expired
   * @throws AccountDisabledError if the account is disabled
   */
  async callerOf(key: string, ip?: string): Promise<ApiKeyCaller | undefined> {
    if (!isKeyText(key)) return undefined;
    const hash = hashOf(key);
    const row = await byHash.first(this.db, { hash, now: new Date() });
    if (row === undefined || !isSame(row.keyHash, hash)) return undefined;
    if (row.disabledAt !== null) throw new AccountDisabledError();
    await this.recordUse(row, ip);
    const { accountId: userId, email: username, id: keyId } = row;
    const role = this.roles.effective(row.role);
    const emailVerified = !this.options.verifiesEmails || row.emailVerifiedAt !== null;
    return { userId, username, role, keyId, scopes: scopesOf(row), emailVerified };
  }

  /** Deletes keys that expired before a time, at most `limit`, and returns their number. */
  deleteExpired(before: Date, limit: number): Promise<number> {
    return deleteExpired.count(this.db, { before, limit });
  }

  /** Records a use. Ignores a database that is read-only at the moment, so that the key stays valid. */
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

  /** Writes a use at most once a minute for all processes, and to the audit log at most once an hour. */
  private async writeUse(
    { id, accountId, lastUsedAt }: Pick<ApiKeyRow, 'id' | 'accountId' | 'lastUsedAt'>,
    now: Date,
    ip: string | undefined,
    db: Queries,
  ): Promise<void> {
    const updated = await markUsed.count(db, { accountId, id, lastUsedAt, now });
    if (updated === 0 || hourOf(lastUsedAt) === hourOf(now)) return;
    await this.audit.record({ kind: 'api-key-used', accountId, ip, detail: { keyId: id } }, db);
  }
}

function checkNotWider(granted: readonly string[] | undefined, scopes: readonly string[] = []): void {
  const missing = granted === undefined ? [] : scopes.filter((scope) => !isGranted(granted, scope));
  if (missing.length > 0) throw new InsufficientScopeError(missing);
}

function scopesOf({ scopes }: Pick<ApiKeyRow, 'scopes'>): string[] | undefined {
  return scopes?.split(' ');
}

type NewKeyRow = Omit<ApiKeyRow, 'id' | 'lastUsedAt'>;

const insert = statement((key: NewKeyRow, db) =>
  db
    .insertInto('apiKey')
    .values({
      accountId: key.accountId,
      name: key.name,
      keyHash: key.keyHash,
      keyEnds: key.keyEnds,
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
      scopes: key.scopes,
    } satisfies NewKeyRow)
    .returningAll(),
);

const list = sortedList(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('apiKey').selectAll().where('accountId', '=', accountId),
);

const active = statement(({ accountId, now }: { accountId: number; now: Date }, db) =>
  db
    .selectFrom('apiKey')
    .select('id')
    .where('accountId', '=', accountId)
    .where((keys) => keys.or([keys('expiresAt', 'is', null), keys('expiresAt', '>', now)])),
);

const byKey = statement(({ accountId, id }: { accountId: number; id: number }, db) =>
  db.selectFrom('apiKey').selectAll().where('accountId', '=', accountId).where('id', '=', id),
);

const byHash = statement(({ hash, now }: { hash: string; now: Date }, db) =>
  db
    .selectFrom('apiKey')
    .innerJoin('account', 'account.id', 'apiKey.accountId')
    .select([
      'apiKey.id',
      'keyHash',
      'lastUsedAt',
      'accountId',
      'scopes',
      'email',
      'emailVerifiedAt',
      'role',
      'disabledAt',
    ])
    .where('keyHash', '=', hash)
    .where((keys) => keys.or([keys('expiresAt', 'is', null), keys('expiresAt', '>', now)])),
);

const remove = statement(({ id, accountId }: { id: number; accountId: number }, db) =>
  db.deleteFrom('apiKey').where('id', '=', id).where('accountId', '=', accountId),
);

const removeAll = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('apiKey').where('accountId', '=', accountId),
);

const markUsed = statement(
  (
    { accountId, id, lastUsedAt, now }: Pick<ApiKeyRow, 'accountId' | 'id' | 'lastUsedAt'> & { now: Date },
    db,
  ) =>
    db
      .updateTable('apiKey')
      .set({ lastUsedAt: now })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .where('lastUsedAt', 'is not distinct from', lastUsedAt),
);

const deleteExpired = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const expired = db.selectFrom('apiKey').where('expiresAt', '<', before).limit(limit);
  return db
    .deleteFrom('apiKey')
    .where((row) => isAmong(db, row.ref('accountId'), expired.select('accountId')))
    .where((row) => isAmong(db, row.ref('id'), expired.select('id')));
});

const firstIds = statement(({ accountId, limit }: { accountId: number; limit: number }, db) =>
  db.selectFrom('apiKey').select('id').where('accountId', '=', accountId).limit(limit),
);

async function checkKeyLimit(accountId: number, db: Queries): Promise<void> {
  const keys = await firstIds.all(db, { accountId, limit: MAX_KEYS });
  if (keys.length === MAX_KEYS) throw new TooManyApiKeysError(MAX_KEYS);
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Returns the input for `@Masked()`, which replaces the middle. */
function endsOf(key: string): string {
  return `${key.slice(0, 2)}…${key.slice(-2)}`;
}

function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/**
 * Returns whether a time is long ago. A time far in the future also counts, because it was written before the clock was set
 * back.
 */
function isLongAgo(moment: Date | null, now: Date, milliseconds: number): boolean {
  if (moment === null) return true;
  return Math.abs(now.getTime() - moment.getTime()) >= milliseconds;
}

function hourOf(moment: Date | null): number | undefined {
  return moment === null ? undefined : Math.floor(moment.getTime() / HOUR);
}

/** Returns a key as it is listed. It has the first and last characters, which {@link ApiKey} masks. */
export function listedKey(row: ApiKeyRow): Omit<ApiKeyRow, 'scopes'> & Pick<ApiKey, 'apiKey' | 'scopes'> {
  return { ...row, apiKey: row.keyEnds, scopes: scopesOf(row) ?? null };
}
