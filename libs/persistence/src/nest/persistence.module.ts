import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database, openDatabase } from '../database';
import { migrate } from '../migrate';

/** Where the data is. */
export interface PersistenceOptions {
  /** As in `DATABASE_URL`. */
  readonly url: string;
}

/**
 * Gives every module of a program the {@link Database}, migrated before anyone is handed it; closes it when the program
 * has stopped serving. A store that cannot be opened ends the start.
 */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(private readonly db: Database) {}

  static forRoot({ url }: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [{ provide: Database, useFactory: () => openMigrated(url) }],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.db.destroy();
  }
}

async function openMigrated(url: string): Promise<Database> {
  const db = openDatabase(url);
  await migrate(db);
  return db;
}
