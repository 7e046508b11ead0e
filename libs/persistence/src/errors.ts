/**
 * The store cannot do its work at present: it is away, full, read-only, or was busy until our patience ended.
 * Nothing was acknowledged. When the connection broke while a commit was under way, nobody knows whether the
 * transaction took place; it is wholly there or wholly absent.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** @param reason what happened, for the log, such as `disk full`; free of values and of passwords */
  constructor(reason: string, options?: ErrorOptions) {
    super(`the store is unavailable: ${reason}`, options);
  }
}

/** A row with the same unique value is there already. */
export class UniqueViolationError extends Error {
  override readonly name = 'UniqueViolationError';

  /** Its name, the same on both stores: `account_email_key_unique`, or `order_item_pkey` for a primary key. */
  readonly constraint: string;

  constructor(constraint: string) {
    super(`a row with this value exists already (${constraint})`);
    this.constraint = constraint;
  }
}

/** A row refers to one that is not there, or one that others refer to was to be removed. */
export class ForeignKeyViolationError extends Error {
  override readonly name = 'ForeignKeyViolationError';

  constructor() {
    super('a row refers to another that is not there');
  }
}

/** A text holds a NUL character or half a surrogate pair: no store of ours keeps those as they are. */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';
  constructor() {
    super('text with a NUL character or an unpaired surrogate cannot be stored');
  }
}

/** The database holds a migration this code does not know: a newer release has been here. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  /** Names that were applied and are not ours. */
  readonly migrations: readonly string[];

  constructor(migrations: readonly string[]) {
    super(
      `the database was migrated by a newer release (${migrations.join(', ')}): start that release, or restore a backup`,
    );
    this.migrations = migrations;
  }
}
