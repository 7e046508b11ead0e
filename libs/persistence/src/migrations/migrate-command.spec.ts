import { followedBy, nextRelease } from '../../testing/next-release';
import { sampleSchema } from '../../testing/sample-schema';
import { temporaryDatabase, type TemporaryDatabase } from '../../testing/temporary-database';
import { type Database, openDatabase } from '../database/database';
import { PendingMigrationsError } from '../errors';
import { migrate } from './migrate';
import { runMigrateCommand } from './migrate-command';
import { framework, historiesOf } from '../framework/framework';

describe('the command that migrates', () => {
  const histories = historiesOf(sampleSchema);
  const names = [
    'framework/0001-schema',
    'sample/0001-products',
    'sample/0002-baskets',
    'sample/0003-articles',
  ];
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
    expect(applied[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}framework\/0001-schema$/);
    expect(applied).toHaveLength(names.length);
  });

  it('says which pending ones no running program runs after', async () => {
    await migrate(db, [framework]);
    const exclusive = { '9999-z': { apply: async () => {}, runsSince: '9999-z' } };
    const lines = await runMigrateCommand(db, ['--list'], [followedBy(nextRelease, exclusive)]);
    expect(lines.slice(1).map((line) => line.trim())).toEqual([
      'framework/9997-note (pending)',
      'framework/9998-tag (pending)',
      'framework/9999-account-name (pending)',
      'framework/9999-z (pending; stop running programs first)',
    ]);
  });

  it('says how long each pending one took on a large database', async () => {
    await migrate(db, [framework]);
    const took = (name: string, tookMs?: { sqlite: number; postgres: number }) => ({
      [name]: { apply: async () => {}, tookMs },
    });
    const measured = followedBy(framework, {
      ...took('9997-a', { sqlite: 1240, postgres: 1240 }),
      ...took('9998-b', { sqlite: 9, postgres: 61_000, [db.dialect]: 9 }),
      ...took('9999-c'),
    });
    const lines = async () =>
      (await runMigrateCommand(db, ['--list'], [measured])).slice(1).map((line) => line.slice(26));
    expect(await lines()).toEqual([
      'framework/9997-a (pending; 1.2 s on a million rows)',
      'framework/9998-b (pending; 0.0 s on a million rows)',
      'framework/9999-c (pending)',
    ]);
    await migrate(db, [measured]);
    expect(await lines()).toEqual(['framework/9997-a', 'framework/9998-b', 'framework/9999-c']);
  });

  it('lists those of another program on the same database', async () => {
    await migrate(db, histories);
    const lines = await runMigrateCommand(db, ['--list'], [framework]);
    expect(lines.map((line) => line.slice(26))).toEqual([
      'framework/0001-schema',
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

  it.each([[['--force']], [['--list', '--check']]])('rejects other arguments: %j', async (given) => {
    await expect(runMigrateCommand(db, given, histories)).rejects.toThrow(/--list, --check/);
  });
});
