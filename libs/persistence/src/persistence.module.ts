import {
  type DynamicModule,
  Global,
  Logger,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { commandLine } from '@app/settings';
import { checkIntegrity } from './database/check-integrity';
import { Database, openDatabase } from './database/database';
import { type Connecting } from './dialects/connecting';
import { ForeignReplicaError } from './errors';
import { checkIds } from './migrations/check-ids';
import { migrate } from './migrations/migrate';
import { checkMigrations } from './migrations/migration-history';
import { checkPolicies } from './migrations/row-policies';
import { DatabaseSchemas } from './schema/database-schema';
import { connectingBy, type DatabaseEnvironment, type Migrating } from './settings';
import { StoreMonitor } from './store-monitor.service';

const logger = new Logger('Store');

/** The {@link PersistenceModule} options. */
export interface PersistenceOptions {
  /** The database URL, as in `DATABASE_URL`. */
  readonly url: string;
  /** The connection options. Default: ten connections without a pooler. */
  readonly connecting?: Connecting;
  /** The way to handle pending migrations. Default `auto`. */
  readonly migrating?: Migrating;
}

/**
 * Creates the module options from the settings.
 *
 * @param further additions by plugins, such as a replica
 */
export function persistenceOptions(
  settings: DatabaseEnvironment,
  further: Partial<Connecting> = {},
): PersistenceOptions {
  const { DATABASE_URL: url, MIGRATE: migrating } = settings;
  return { url, connecting: { ...connectingBy(settings), ...further }, migrating };
}

/**
 * Provides the {@link Database} to every module, and closes it on shutdown. The {@link DatabaseSchemas} of the program are
 * migrated on initialization: after the contract check and before every other `onModuleInit`. Factories and constructors
 * therefore must not send statements. The application fails to start if the database cannot be opened or migrated, if its
 * replica belongs to a different database, or if `migrating` is `check` and migrations are pending.
 */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(private readonly db: Database) {}

  static forRoot(options: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        {
          provide: Database,
          useFactory: () => openChecked(options),
        },
        {
          provide: MigrationAtStart,
          inject: [Database, DatabaseSchemas],
          useFactory: (db: Database, { all }: DatabaseSchemas) =>
            new MigrationAtStart(db, all, options.migrating),
        },
        StoreMonitor,
      ],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.db.destroy();
  }
}

/** Migrates the database on initialization, or checks its migrations. */
class MigrationAtStart implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly histories: DatabaseSchemas['all'],
    private readonly migrating: Migrating = 'auto',
  ) {}

  async onModuleInit(): Promise<void> {
    const { db, histories, migrating } = this;
    if (migrating === 'check') await checkMigrations(db, histories);
    if (migrating === 'auto') logApplied(await migrate(db, histories));
    if (migrating !== 'off') await checkIds(db);
    await checkPolicies(db, histories);
    await checkReplica(db);
  }
}

async function openChecked({ url, connecting }: PersistenceOptions): Promise<Database> {
  const db = openDatabase(url, connecting);
  checkStructure(db);
  // Migrations have connections of their own, and the last one to close removes the WAL, which backups follow.
  await db.check();
  return db;
}

/**
 * Checks that the replica belongs to this database. A replica that is down or lags does not prevent the start; the monitor logs
 * it.
 */
async function checkReplica(db: Database): Promise<void> {
  const health = await db.checkReplica();
  if (health?.error instanceof ForeignReplicaError) throw health.error;
}

/** Logs a single line, both for a new database and for an upgrade. */
function logApplied(names: readonly string[]): void {
  if (names.length > 0)
    logger.log(`migrations applied: ${names.length}, from ${names[0]} to ${names.at(-1)}`);
}

function checkStructure(db: Database): void {
  const startedAt = performance.now();
  const isChecked = checkIntegrity(db);
  if (isChecked) logger.debug(`integrity check completed in ${Math.round(performance.now() - startedAt)} ms`);
  else
    logger.warn(
      `integrity check skipped: the database file is too large; run \`${commandLine(['check-store'])}\``,
    );
}
