import { followedBy, nextReleaseOf } from '../../testing/next-release';
import { baseSchema, sampleSchema } from '../../testing/sample-schema';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { type Database, openDatabase } from '../database/database';
import { PendingMigrationsError } from '../errors';
import { migrate } from './migrate';
import { runMigrateCommand } from './migrate-command';

describe('the command that migrates', () => {
  const histories = [baseSchema, sampleSchema];
  const names = ['base/0001-owners', 'sample/0001-products', 'sample/0002-baskets', 'sample/0003-articles'];
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
    expect(await runMigrateCommand(db, [], histories)).toEqual(names.map((name) => `applied  ${name}`));
    expect(await runMigrateCommand(db, [], histories)).toEqual([`${db.place} has every migration`]);
  });

  it('lists what is pending and what was applied, with its time', async () => {
    const pending = await runMigrateCommand(db, ['--list'], histories);
    expect(pending.map((line) => line.trim().replace(/; .* on a million rows/, ''))).toEqual(
      names.map((name) => `${name} (pending)`),
    );

    await runMigrateCommand(db, [], histories);
    const applied = await runMigrateCommand(db, ['--list'], histories);
    expect(applied[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}base\/0001-owners$/);
    expect(applied).toHaveLength(names.length);
  });

  it('says which pending ones no running program runs after', async () => {
    await migrate(db, [baseSchema]);
    const exclusive = { '9999-z': { apply: async () => {}, runsSince: '9999-z' } };
    const lines = await runMigrateCommand(
      db,
      ['--list'],
      [followedBy(nextReleaseOf(baseSchema, 'sample_owner'), exclusive)],
    );
    expect(lines.slice(1).map((line) => line.trim())).toEqual([
      'base/9997-note (pending)',
      'base/9998-tag (pending)',
      'base/9999-logins (pending)',
      'base/9999-z (pending; stop running programs first)',
    ]);
  });

  it('says how long each pending one took on a large database', async () => {
    await migrate(db, [baseSchema]);
    const took = (name: string, tookMs?: { sqlite: number; postgres: number }) => ({
      [name]: { apply: async () => {}, tookMs },
    });
    const measured = followedBy(baseSchema, {
      ...took('9997-a', { sqlite: 1240, postgres: 1240 }),
      ...took('9998-b', { sqlite: 9, postgres: 61_000, [db.dialect]: 9 }),
      ...took('9999-c'),
    });
    const lines = async () =>
      (await runMigrateCommand(db, ['--list'], [measured])).slice(1).map((line) => line.slice(26));
    expect(await lines()).toEqual([
      'base/9997-a (pending; 1.2 s on a million rows)',
      'base/9998-b (pending; 0.0 s on a million rows)',
      'base/9999-c (pending)',
    ]);
    await migrate(db, [measured]);
    expect(await lines()).toEqual(['base/9997-a', 'base/9998-b', 'base/9999-c']);
  });

  it('lists those of another program on the same database', async () => {
    await migrate(db, histories);
    const lines = await runMigrateCommand(db, ['--list'], [baseSchema]);
    expect(lines.map((line) => line.slice(26))).toEqual([
      'base/0001-owners',
      'sample/0001-products (of another program)',
      'sample/0002-baskets (of another program)',
      'sample/0003-articles (of another program)',
    ]);
  });

  it('fails the check while migrations are pending', async () => {
    await expect(runMigrateCommand(db, ['--check'], histories)).rejects.toThrow(PendingMigrationsError);
    await runMigrateCommand(db, [], histories);
    expect(await runMigrateCommand(db, ['--check'], histories)).toEqual([`${db.place} has every migration`]);
  });

  it.each([[['--force']], [['--list', '--check']]])('rejects other arguments: %j', async (args) => {
    await expect(runMigrateCommand(db, args, histories)).rejects.toThrow(/--list, --check/);
  });
});
