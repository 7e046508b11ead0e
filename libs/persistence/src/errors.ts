import { commandLine } from '@app/settings';

/** The database is unreachable, full, read-only, or was locked until the timeout. Nothing was changed, except as {@link UnknownOutcomeError} says. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
  /** @param reason for the log, such as `the disk is full`; never contains row values or credentials */
  constructor(reason: string, options?: ErrorOptions) {
    super(`store unavailable: ${reason}`, options);
  }
}

/** The connection was lost during a commit: the transaction is applied completely or not at all. */
export class UnknownOutcomeError extends StoreUnavailableError {
  override readonly name = 'UnknownOutcomeError';
  constructor(options?: ErrorOptions) {
    super('the outcome of a commit is unknown', options);
  }
}

/** The store is unavailable until an operator acts: its file is damaged, or is no longer where it was opened. */
export class StoreFaultError extends StoreUnavailableError {
  override readonly name: string = 'StoreFaultError';
}

/** `DATABASE_REPLICA_URL` names a server in a different cluster. Aborts the start. */
export class ForeignReplicaError extends StoreFaultError {
  override readonly name = 'ForeignReplicaError';
  constructor() {
    super('DATABASE_REPLICA_URL names a server of another cluster; correct it, or remove it');
  }
}

/** A statement on a tenant table is not bound to a tenant, or would leave its tenant. A programming error; nothing was sent. */
export class TenantTableError extends TypeError {
  override readonly name = 'TenantTableError';

  /**
   * @param place  such as `in a join`
   * @param remedy such as `build it on db.for(membership)`
   */
  constructor(table: { readonly name: string; readonly column: string }, place: string, remedy: string) {
    super(
      `a statement names ${table.name} ${place}, and its rows belong to a tenant (${table.column}): ${remedy}`,
    );
  }
}

/** A unique constraint or a primary key was violated. */
export class UniqueViolationError extends Error {
  override readonly name = 'UniqueViolationError';

  /** The same name on both databases: `account_email_key_unique`, or `order_item_pkey` for a primary key. */
  readonly constraint: string;

  constructor(constraint: string) {
    super(`unique constraint violated: ${constraint}`);
    this.constraint = constraint;
  }
}

/** The referenced row does not exist, or the row to delete is still referenced. */
export class ForeignKeyViolationError extends Error {
  override readonly name = 'ForeignKeyViolationError';

  /** The constraint name. SQLite does not report it. */
  readonly constraint: string | undefined;

  constructor(constraint?: string) {
    super(`foreign key constraint${constraint === undefined ? '' : ` ${constraint}`} violated`);
    this.constraint = constraint;
  }
}

/**
 * A value that the databases cannot store: 1e300 among integers, a fraction in an integer column, an invalid date. The value
 * itself never appears in messages or logs.
 */
export class UnstorableValueError extends TypeError {
  override readonly name: string = 'UnstorableValueError';
  readonly #values: readonly unknown[];
  readonly #columns = new Set<string>();

  /** @param values the possible causes, if known */
  constructor(reason: string, values: readonly unknown[] = []) {
    super(reason);
    this.#values = values;
  }

  /** Adds the value's possible column, in camelCase. */
  inColumn(column: string | undefined): this {
    if (column !== undefined) this.#columns.add(column);
    return this;
  }

  /**
   * Returns whether a value was rejected.
   *
   * @param _name the member that has the value
   */
  isAbout(value: unknown, _name: string): boolean {
    return this.#values.some((secret) => Object.is(secret, value));
  }

  /** Whether a column with this name was to be written. */
  isAboutColumn(name: string): boolean {
    return this.#columns.has(name);
  }
}

/** A string contains a NUL character or an unpaired surrogate, which neither database stores unchanged. */
export class UnstorableTextError extends UnstorableValueError {
  override readonly name = 'UnstorableTextError';
  constructor(values: readonly string[] = []) {
    super('text with a NUL character or an unpaired surrogate cannot be stored', values);
  }
}

/** A null value is written to a column that rejects null. */
export class NullValueError extends UnstorableValueError {
  override readonly name = 'NullValueError';
  readonly #column: string;

  /** @param column in camelCase */
  constructor(column: string) {
    super(`the column ${column} cannot be null`);
    this.#column = column;
  }

  override isAbout(value: unknown, name: string): boolean {
    return value === null && name === this.#column;
  }
}

/** A newer release has migrated the database, and its migrations exclude this release. Aborts the start. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  /** The unknown migrations' names. */
  readonly migrations: readonly string[];

  constructor(migrations: readonly string[]) {
    super(
      `the database was migrated by a newer release (${migrations.join(', ')}): start that release, or restore a backup`,
    );
    this.migrations = migrations;
  }
}

/** The database was created before the first release, by unreleased migrations. Aborts the start. */
export class UnreleasedDatabaseError extends Error {
  override readonly name = 'UnreleasedDatabaseError';
  constructor() {
    super(
      'the database was created before release 0.1.0, and no release opens it: export what you need by the program of the commit that created it ' +
        '(GET /users/me/export, for each user), and set DATABASE_URL to a new database',
    );
  }
}

/** The database lacks migrations, and the program may not apply them (`MIGRATE=check`). Aborts the start. */
export class PendingMigrationsError extends Error {
  override readonly name = 'PendingMigrationsError';

  /** The migration names, oldest first. */
  readonly migrations: readonly string[];

  constructor(migrations: readonly string[]) {
    super(
      `the database lacks migrations (${migrations.join(', ')}): run \`${commandLine(['migrate'])}\`, or start with MIGRATE=auto`,
    );
    this.migrations = migrations;
  }
}

/** A migration creates an object that already exists, although no row records the migration. Aborts the start. */
export class UnrecordedMigrationError extends Error {
  override readonly name = 'UnrecordedMigrationError';

  /**
   * @param migration such as `api/0002-orders`
   * @param table     lists the applied migrations
   */
  constructor(migration: string, table: string, cause: Error) {
    super(
      `the migration ${migration} creates what exists (${cause.message}): insert its row of ${table} again, restore a backup, or rename a table of another program`,
      { cause },
    );
  }
}

/** Tables or columns are missing, although the migrations of their tables have run. Aborts the start. */
export class SchemaDriftError extends Error {
  override readonly name = 'SchemaDriftError';

  /**
   * @param columns    such as `post.slug`
   * @param migrations the applied migrations of the tables, such as `api/0003-posts`
   */
  constructor(columns: readonly string[], migrations: readonly string[]) {
    const applied = migrations.length > 0 ? migrations.join(', ') : 'none';
    super(
      `the database lacks ${columns.join(', ')}, although the migrations of the tables have run (${applied}): if one of them was edited or is missing, add a migration that creates the columns; if somebody dropped them, restore a backup, or create them again as the migrations do`,
    );
  }
}

/** Keys of tenant tables let rows of two tenants conflict or refer to each other. Aborts the start. */
export class TenantKeyError extends Error {
  override readonly name = 'TenantKeyError';

  /** @param faults such as `the unique key (slug) of project does not begin with organization_id` */
  constructor(faults: readonly string[]) {
    super(
      `${faults.join('; ')}: change the migration if it is not released, or add a migration with a new key`,
    );
  }
}

/** The tables use the other id kind (`DATABASE_IDS`). Aborts the start. */
export class ForeignIdsError extends Error {
  override readonly name = 'ForeignIdsError';
}

/** A backup or restore failed. The message gives the reason and the remedy. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
}
