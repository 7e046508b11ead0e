import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { baseSchema, sampleSchema } from '../testing/sample-schema';
import { temporaryDatabase, type TemporaryDatabase } from '../testing/temporary-database';
import { Database, openDatabase } from './database/database';
import { migrate } from './migrations/migrate';
import { PersistenceModule } from './persistence.module';
import { DatabaseSchemas } from './schema/database-schema';

@Injectable()
class ItemsStore {
  constructor(private readonly db: Database) {}

  list(): Promise<unknown[]> {
    return this.db.selectFrom('sampleProduct').selectAll().execute();
  }
}

/** The module that provides a program's table histories. */
@Global()
@Module({
  providers: [{ provide: DatabaseSchemas, useValue: new DatabaseSchemas([baseSchema, sampleSchema]) }],
  exports: [DatabaseSchemas],
})
class WithSchema {}

describe('PersistenceModule', () => {
  let database: TemporaryDatabase;

  beforeEach(async () => {
    database = await temporaryDatabase();
  });
  afterEach(() => database.remove());

  it('provides a migrated database to every module, and closes it on shutdown', async () => {
    const program = await Test.createTestingModule({
      imports: [WithSchema, PersistenceModule.forRoot({ url: database.url })],
      providers: [ItemsStore],
    }).compile();
    await program.init();
    const items = program.get(ItemsStore);

    expect(await items.list()).toEqual([]);
    await program.close();
    await expect(items.list()).rejects.toThrow(/destroyed/);
  });

  it('logs what a start has migrated in one line, and nothing if that was nothing', async () => {
    const logged = vi.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
    for (let count = 0; count < 2; count += 1) await (await start('auto')).close();
    const lines = logged.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes('migration'));
    expect(lines).toEqual(['migrations applied: 4, from base/0001-owners to sample/0003-articles']);
    logged.mockRestore();
  });

  const start = async (migrating: 'auto' | 'check' | 'off') => {
    const program = await Test.createTestingModule({
      imports: [WithSchema, PersistenceModule.forRoot({ url: database.url, migrating })],
    }).compile();
    return program.init();
  };

  it('does not start on a database without its tables, if it may only check them', async () => {
    await expect(start('check')).rejects.toThrow(
      /lacks migrations \(base\/0001-owners, sample\/0001-products/,
    );
    const db = openDatabase(database.url);
    await migrate(db, [baseSchema, sampleSchema]);
    await db.destroy();

    const program = await start('check');
    expect(await program.get(Database).selectFrom('sampleProduct').selectAll().execute()).toEqual([]);
    await program.close();
  });

  it('neither migrates nor checks a database, if it must not', async () => {
    const program = await start('off');
    expect(await program.get(Database).introspection.getTables()).toEqual([]);
    await program.close();
  });

  it('fails the start when the database is unreachable', async () => {
    const imports = [WithSchema, PersistenceModule.forRoot({ url: 'postgres://a:SECRET@127.0.0.1:1/b' })];

    const program = await Test.createTestingModule({ imports }).compile();
    await expect(program.init()).rejects.toThrow(/cannot be reached/);
  });
});
