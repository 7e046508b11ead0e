import { type DynamicModule, Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { checkIntegrity } from '../check-integrity';
import { Database, openDatabase } from '../database';
import { type Connecting } from '../dialects/timeouts';
import { ForeignReplicaError } from '../errors';
import { migrate } from '../migrate';
import { checkMigrations } from '../migration-history';
import { connectingBy, type DatabaseEnvironment, type Migrating } from '../settings';
import { StoreMonitor } from './store-monitor';

/** Options of {@link PersistenceModule}. */
export interface PersistenceOptions {
  /** As in `DATABASE_URL`. */
  readonly url: string;
  /** By default without a pooler, with ten connections. */
  readonly connecting?: Connecting;
  /** Default `auto`. */
  readonly migrating?: Migrating;
}

/** The options by the settings. */
export function persistenceOptions(settings: DatabaseEnvironment): PersistenceOptions {
  const { DATABASE_URL: url, MIGRATE: migrating } = settings;
  return { url, connecting: connectingBy(settings), migrating };
}

/**
 * Provides the migrated {@link Database} to every module, and closes it on shutdown. The application does not start if
 * the database cannot be opened or migrated, if its replica is one of another database, or if `migrating` is `check` and it lacks migrations.
 */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(private readonly db: Database) {}

  static forRoot(options: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [{ provide: Database, useFactory: () => openMigrated(options) }, StoreMonitor],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.db.destroy();
  }
}

async function openMigrated({ url, connecting, migrating = 'auto' }: PersistenceOptions): Promise<Database> {
  const db = openDatabase(url, connecting);
  const logger = new Logger('Store');
  checkStructure(db, logger);
  if (migrating === 'check') await checkMigrations(db);
  if (migrating === 'auto') logApplied(await migrate(db), logger);
  await checkReplica(db);
  return db;
}

/** A replica that is down or lags does not keep a program from starting; the monitor logs it. */
async function checkReplica(db: Database): Promise<void> {
  const health = await db.checkReplica();
  if (health?.error instanceof ForeignReplicaError) throw health.error;
}

/** One line, whether an empty database was migrated or that of the last release. */
function logApplied(names: readonly string[], logger: Logger): void {
  if (names.length > 0)
    logger.log(`migrations applied: ${names.length}, from ${names[0]} to ${names.at(-1)}`);
}

function checkStructure(db: Database, logger: Logger): void {
  const startedAt = performance.now();
  const isChecked = checkIntegrity(db);
  if (isChecked) logger.debug(`structure checked in ${Math.round(performance.now() - startedAt)} ms`);
  else logger.warn('the database file is too large to be checked at start: run `npm run check-store`');
}
