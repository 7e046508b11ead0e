import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { Database } from '../database';
import { PersistenceModule } from './persistence.module';

@Injectable()
class ItemsStore {
  constructor(private readonly db: Database) {}

  list(): Promise<unknown[]> {
    return this.db.selectFrom('item').selectAll().execute();
  }
}

describe('PersistenceModule', () => {
  let database: TemporaryDatabase;

  beforeEach(async () => {
    database = await temporaryDatabase();
  });
  afterEach(() => database.remove());

  it('provides a migrated database to every module, and closes it on shutdown', async () => {
    const program = await Test.createTestingModule({
      imports: [PersistenceModule.forRoot({ url: database.url })],
      providers: [ItemsStore],
    }).compile();
    await program.init();
    const items = program.get(ItemsStore);

    expect(await items.list()).toEqual([]);
    await program.close();
    await expect(items.list()).rejects.toThrow(/destroyed/);
  });

  it('fails the start when the database is unreachable', async () => {
    const imports = [PersistenceModule.forRoot({ url: 'postgres://a:SECRET@127.0.0.1:1/b' })];

    await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(/cannot be reached/);
  });
});
