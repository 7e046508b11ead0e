import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@app/persistence';
import { schemaText, temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { accounts, UnlistedFactorError } from '@app/accounts';
import { createProgram, defineProgram, readSettings, schemasOf } from '@app/service';
import { sql } from 'kysely';
import { program } from '../src/api.program';

const at = new Date(1_700_000_000_000);
const { all, tables } = schemasOf(program);

/** Accounts created the tables of each way to sign in, and listed their migrations. */
describe('a database from before the ways to sign in were plugins', () => {
  const databases: TemporaryDatabase[] = [];
  const handles: Database[] = [];
  const empty = async () => {
    const database = await temporaryDatabase();
    const db = openDatabase(database.url);
    databases.push(database);
    handles.push(db);
    return db;
  };
  const older = async () => {
    const db = await empty();
    const file = join(__dirname, `../testing/before-plugins/${db.dialect}.sql`);
    for (const statement of readFileSync(file, 'utf8').split(';\n').filter(Boolean))
      await sql.raw(statement).execute(db);
    return db;
  };
  afterEach(async () => {
    await Promise.all(handles.splice(0).map((db) => db.destroy()));
    await Promise.all(databases.splice(0).map((database) => database.remove()));
  });

  it('keeps what its accounts have enrolled', async () => {
    const db = await older();
    const applied = await migrate(db, all);
    expect(applied.filter((name) => name.startsWith('accounts/'))).toEqual([
      'accounts/0027-factor-in-use',
      'accounts/0028-job-result',
    ]);
    expect(applied).toContain('second-factors/0001-totp');
    expect(await db.selectFrom('totp').selectAll().execute()).toEqual([
      {
        id: 1,
        accountId: 1,
        sealedSecret: 'sealed',
        sealedBy: 'a key',
        lastStep: 7,
        createdAt: at,
        confirmedAt: at,
      },
    ]);
    expect(await db.selectFrom('recoveryCode').selectAll().execute()).toEqual([
      { hash: 'a hash', accountId: 1, createdAt: at },
    ]);
    expect(await db.selectFrom('passkey').select(['credentialId', 'counter']).execute()).toEqual([
      { credentialId: 'a credential', counter: 3 },
    ]);
    expect(await db.selectFrom('trustedIdentity').select(['hash', 'issuer']).execute()).toEqual([
      { hash: 'an identity', issuer: 'https://id.example.com' },
    ]);
    expect(await migrate(db, all)).toEqual([]);
  });

  it('is refused by a program without the plugins of what its accounts have enrolled', async () => {
    const db = await older();
    await migrate(db, all);
    expect(await db.selectFrom('factorInUse').select('kind').orderBy('kind').execute()).toEqual([
      { kind: 'passkey' },
      { kind: 'totp' },
    ]);
    const bare = defineProgram({ name: 'bare', plugins: [accounts()] });
    const settings = readSettings(bare.declarations, {
      DATABASE_URL: databases.at(-1)?.url,
      JWT_SECRET: 'a secret of tests, long enough to sign with',
      LOG_LEVEL: 'silent',
    });
    const start = createProgram({ name: 'bare', module: bare.module(settings), settings });
    await expect(start).rejects.toThrow(new UnlistedFactorError('passkey'));
  });

  it('has the tables of a new one', async () => {
    const [before, now] = [await older(), await empty()];
    for (const db of [before, now]) await migrate(db, all);
    expect(await schemaText(before, tables)).toBe(await schemaText(now, tables));
  });
});
