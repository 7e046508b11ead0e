import { type DynamicModule, Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { checkIntegrity } from '../check-integrity';
import { Database, openDatabase } from '../database';
import { type Connecting } from '../dialects/timeouts';
import { migrate } from '../migrate';
import { connectingBy, type DatabaseEnvironment } from '../settings';
import { StoreMonitor } from './store-monitor';

/** Options of {@link PersistenceModule}. */
export interface PersistenceOptions {
  /** As in `DATABASE_URL`. */
  readonly url: string;
  /** By default without a pooler, with ten connections. */
  readonly connecting?: Connecting;
}

/** The options by the settings. */
export function persistenceOptions(settings: DatabaseEnvironment): PersistenceOptions {
  return { url: settings.DATABASE_URL, connecting: connectingBy(settings) };
}

/**
 * Provides the migrated {@link Database} to every module, and closes it on shutdown. The application does not start if
 * the database cannot be opened or migrated.
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

async function openMigrated({ url, connecting }: PersistenceOptions): Promise<Database> {
  const db = openDatabase(url, connecting);
  const startedAt = performance.now();
  const isChecked = checkIntegrity(db);
  const logger = new Logger('Store');
  if (isChecked) logger.debug(`structure checked in ${Math.round(performance.now() - startedAt)} ms`);
  else logger.warn('the database file is too large to be checked at start: run `npm run check-store`');
  await migrate(db);
  return db;
}
