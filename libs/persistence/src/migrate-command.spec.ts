import { temporaryDatabase, type TemporaryDatabase } from '../testing/temporary-database';
import { type Database, openDatabase } from './database';
import { PendingMigrationsError } from './errors';
import { runMigrateCommand } from './migrate-command';
import { migrations } from './migrations/migrations';

describe('the command that migrates', () => {
  const names = Object.keys(migrations);
  let database: TemporaryDatabase;
  let db: Database;
  beforeEach(async () => {
    database = await temporaryDatabase();
    db = openDatabase(database.url);
  });
  afterEach(async () => {
    await db.destroy();
    await database.remove();
  });

  it('applies what is pending, once', async () => {
    expect(await runMigrateCommand(db, [])).toEqual(names.map((name) => `applied  ${name}`));
    expect(await runMigrateCommand(db, [])).toEqual([`${db.place} has every migration`]);
  });

  it('lists what is pending and what was applied, with its time', async () => {
    const pending = await runMigrateCommand(db, ['--list']);
    expect(pending.map((line) => line.trim())).toEqual(names.map((name) => `${name} (pending)`));

    await runMigrateCommand(db, []);
    const applied = await runMigrateCommand(db, ['--list']);
    expect(applied[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}0001-first-tables$/);
    expect(applied).toHaveLength(names.length);
  });

  it('fails the check while migrations are pending', async () => {
    await expect(runMigrateCommand(db, ['--check'])).rejects.toThrow(PendingMigrationsError);
    await runMigrateCommand(db, []);
    expect(await runMigrateCommand(db, ['--check'])).toEqual([`${db.place} has every migration`]);
  });

  it.each([[['--force']], [['--list', '--check']]])('rejects other arguments: %j', async (given) => {
    await expect(runMigrateCommand(db, given)).rejects.toThrow(/--list, --check/);
  });
});
