/**
 * The database is unreachable, full, read-only, or was locked until the timeout. Nothing was acknowledged. If the
 * connection was lost during a commit, the outcome is unknown: the transaction is applied completely or not at all.
 */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
  /** @param reason for the log, such as `the disk is full`; contains no row values and no credentials */
  constructor(reason: string, options?: ErrorOptions) {
    super(`store unavailable: ${reason}`, options);
  }
}

/** The store is unavailable until an operator acts: its file is damaged, or is no longer where it was opened. */
export class StoreFaultError extends StoreUnavailableError {
  override readonly name = 'StoreFaultError';
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

  constructor() {
    super('foreign key constraint violated');
  }
}

/** A string contains a NUL character or an unpaired surrogate; neither database stores those unchanged. */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';
  constructor() {
    super('text with a NUL character or an unpaired surrogate cannot be stored');
  }
}

/** The database has migrations that this release does not know: a newer release has migrated it. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  /** Names of the unknown migrations. */
  readonly migrations: readonly string[];

  constructor(migrations: readonly string[]) {
    super(
      `the database was migrated by a newer release (${migrations.join(', ')}): start that release, or restore a backup`,
    );
    this.migrations = migrations;
  }
}
