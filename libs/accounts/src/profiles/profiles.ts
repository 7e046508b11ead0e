import {
  Database,
  DatabaseSchemas,
  isExported,
  type Queries,
  statement,
  type TableDefinition,
  UniqueViolationError,
} from '@app/persistence';
import { invalidInput, readMoment } from '@app/contract';
import { validate } from '@app/engine';
import { sql } from 'kysely';
import { Injectable, Optional } from '@nestjs/common';
import { type AuditEvent, AuditLog } from '../audit/audit-log';
import { ProfileConflictError } from '../errors';
import { ProfileShape } from './profile-shape';

/** Profile values, by field. */
export type ProfileValues = Readonly<Record<string, unknown>>;

/** The application's table; the types in this library do not include its columns. */
type ProfileTables = { profile: ProfileRow };
type ProfileRow = { accountId: number } & Record<string, unknown>;

/** The additional data that an application stores about users. Programs that lack a profile class read and write nothing. */
@Injectable()
export class Profiles {
  private readonly table: TableDefinition | undefined;

  /** @throws TypeError as {@link ProfileShape.tableAmong} */
  constructor(
    private readonly db: Database,
    private readonly audit: AuditLog,
    @Optional() private readonly shape?: ProfileShape,
    @Optional() schemas?: DatabaseSchemas,
  ) {
    this.table = shape?.tableAmong(schemas?.tables ?? []);
  }

  /**
   * Checks that an account's row is deleted with it, by every program.
   *
   * @throws TypeError if it is not
   */
  async check(): Promise<void> {
    if (this.shape === undefined) return;
    const cascade = this.db.dialect === 'postgres' ? cascadeOnPostgres : cascadeOnSqlite;
    if ((await cascade.execute(this.db)).rows.length === 0)
      throw new TypeError(
        "the table 'profile' needs account_id with a foreign key to account (id), on delete cascade",
      );
  }

  /** The columns that an account gets in its export; `undefined` without a profile. */
  get exported(): readonly string[] | undefined {
    const { table } = this;
    return table && Object.keys(table.secrecy).filter((column) => isExported(table.secrecy[column]));
  }

  /** Whether the program declares a profile class. */
  get areDeclared(): boolean {
    return this.shape !== undefined;
  }

  /** Returns the stored rows by account. The map lacks accounts that have no profile. */
  async read(ids: readonly number[], db: Queries = this.db): Promise<ReadonlyMap<number, ProfileValues>> {
    if (this.shape === undefined || ids.length === 0) return new Map();
    const [accountId] = ids;
    const rows = ids.length === 1 ? await byAccount.all(db, { accountId }) : await ofAccounts(db, ids);
    return new Map(rows.map((row) => [row.accountId, row]));
  }

  /**
   * Returns an account row with the profile fields that views show.
   *
   * @param stored the {@link read} result
   */
  shown<Row extends object>(row: Row, stored: ProfileValues | undefined): Row {
    const { shape } = this;
    if (shape === undefined) return row;
    const members = shape.sent.map((field) => [
      field,
      stored?.[field] ?? (shape.isNullable(field) ? null : undefined),
    ]);
    return { ...row, ...Object.fromEntries(members) };
  }

  /**
   * Stores the profile for a new account.
   *
   * @param fields a validated body; only its accepted fields are used
   */
  async insert(accountId: number, fields: object, db: Queries): Promise<void> {
    if (this.shape === undefined) return;
    await insertRow({ ...columnsOf(this.accepted(fields)), accountId }, db);
  }

  /**
   * Changes the given profile fields, and records which fields changed. An account that lacks a profile gets a profile if the
   * given fields are complete.
   *
   * @param body a validated body; only its accepted fields are used
   * @param by the actor in the audit log
   * @param db a transaction that has locked the account
   * @throws InvalidInputError if the fields are incomplete
   */
  async change(
    accountId: number,
    body: object,
    by: Pick<AuditEvent, 'actorId' | 'ip'>,
    db: Queries,
  ): Promise<void> {
    const sent = this.accepted(body);
    if (this.shape === undefined || Object.keys(sent).length === 0) return;
    const stored = await byAccount.first(db, { accountId });
    if (stored === undefined) await checkComplete(sent, this.shape);
    const values = columnsOf(sent);
    const fields = Object.keys(values).filter((field) => !isSame(values[field], stored?.[field]));
    if (fields.length === 0) return;
    await (stored === undefined ? insertRow : updateRow)({ ...values, accountId }, db);
    await this.audit.record({ kind: 'profile-changed', accountId, ...by, detail: { fields } }, db);
  }

  /** Rejects with a {@link ProfileConflictError} if a unique value is already taken. */
  async mapConflict<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (cause) {
      const fields = cause instanceof UniqueViolationError ? this.fieldsOf(cause.constraint) : [];
      throw fields.length > 0 ? new ProfileConflictError(fields, { cause }) : cause;
    }
  }

  private accepted(body: object): ProfileValues {
    const fields = this.shape?.accepted ?? [];
    return Object.fromEntries(
      fields.map((field) => [field, Reflect.get(body, field)]).filter(([, value]) => value !== undefined),
    );
  }

  /** Returns the fields in a constraint name, such as `profile_username_unique`. */
  private fieldsOf(constraint: string): string[] {
    const columns = /^profile(_.*_)unique$/.exec(constraint)?.[1] ?? '';
    return (this.shape?.accepted ?? []).filter((field) => columns.includes(`_${snakeCased(field)}_`));
  }
}

const cascadeOnSqlite = sql`
  select id from pragma_foreign_key_list('profile')
  where "from" = 'account_id' and "table" = 'account' and on_delete = 'CASCADE'`;

const cascadeOnPostgres = sql`
  select conname from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = any (conkey)
  where conrelid = to_regclass('profile') and confrelid = to_regclass('account')
    and contype = 'f' and confdeltype = 'c' and attname = 'account_id'`;

function tablesOf(db: Queries) {
  return db.withTables<ProfileTables>();
}

const byAccount = statement(({ accountId }: { accountId: number }, db) =>
  tablesOf(db).selectFrom('profile').selectAll().where('accountId', '=', accountId).$castTo<ProfileRow>(),
);

/** @param ids the ids on a page, at most */
function ofAccounts(db: Queries, ids: readonly number[]): Promise<ProfileRow[]> {
  const rows = tablesOf(db).selectFrom('profile').selectAll().where('accountId', 'in', ids);
  return rows.$castTo<ProfileRow>().execute();
}

/** Inserts a row. The statement is not cached, because callers choose the columns. */
async function insertRow(row: ProfileRow, db: Queries): Promise<void> {
  await tablesOf(db).insertInto('profile').values(row).execute();
}

async function updateRow({ accountId, ...columns }: ProfileRow, db: Queries): Promise<void> {
  await tablesOf(db).updateTable('profile').set(columns).where('accountId', '=', accountId).execute();
}

/** @throws InvalidInputError if these values are too few for a new account */
async function checkComplete(values: ProfileValues, { type }: ProfileShape): Promise<void> {
  const groups = ['create'];
  const profile = Object.assign(new type(), values);
  const errors = await validate(profile, { groups, forbidUnknownValues: false });
  if (errors.length > 0) throw invalidInput(errors, { type, in: 'body', groups, value: values });
}

/** A time is validated as text, and stored as a time. */
function columnsOf(values: ProfileValues): ProfileValues {
  const columns = Object.entries(values).map(([field, value]) => [
    field,
    field.endsWith('At') ? (readMoment(value) ?? value) : value,
  ]);
  return Object.fromEntries(columns);
}

function isSame(left: unknown, right: unknown): boolean {
  return comparable(left) === comparable(right);
}

function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : (value ?? null);
}

function snakeCased(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
