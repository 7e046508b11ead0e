import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Passwords } from '@app/auth';
import { type Database, migrate, openDatabase } from '@app/persistence';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { accountsSchemas } from '../../testing/accounts-database';
import { testOptions } from '../../testing/test-options';
import { AccountsStore } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import { FirstCredentials } from './first-credentials';
import { FirstAdministrator } from './first-administrator';

/** The settings of a program, and the folder of its SQLite database. */
interface Configured {
  readonly email?: string;
  readonly password?: string;
  readonly folder?: string;
}

function firstOn(db: Database, passwords: Passwords, { email, password, folder }: Configured) {
  const options = testOptions({
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    DATABASE_URL: folder === undefined ? 'postgres://localhost/tests' : `sqlite:${folder}/tests.db`,
  });
  const credentials = new FirstCredentials(options);
  return new FirstAdministrator(
    db,
    new AccountsStore(db),
    passwords,
    new AuditLog(db, 'api'),
    credentials,
    options,
  );
}

describe('the first administrator', () => {
  const passwords = new Passwords();
  let place: TemporaryDatabase;
  let db: Database;
  let store: AccountsStore;
  let folder: string;

  beforeEach(async () => {
    place = await temporaryDatabase();
    db = openDatabase(place.url);
    await migrate(db, accountsSchemas);
    store = new AccountsStore(db);
    folder = mkdtempSync(join(tmpdir(), 'sluice-first-'));
  });
  afterEach(async () => {
    await db.destroy();
    await place.remove();
    rmSync(folder, { recursive: true });
  });

  async function prepared(options: Configured): Promise<FirstAdministrator> {
    const first = firstOn(db, passwords, options);
    await first.prepare();
    return first;
  }

  it('is created from the configured e-mail and password', async () => {
    const first = await prepared({ email: 'Root@example.com', password: 'asked for it', folder });
    expect([first.created, first.ignoredEmail]).toEqual([{ email: 'Root@example.com' }, undefined]);
    const account = await store.findByEmail('root@example.com');
    expect(account?.role).toBe('admin');
    expect(await passwords.matches(account?.passwordHash, 'asked for it')).toBe(true);
    expect(account?.passwordChangeRequiredAt).toBeNull();
  });

  it.each(['removed', 'disabled', 'demoted'])('is not brought back if it was %s', async (change) => {
    const credentials = { email: 'root@example.com', password: 'the first password' };
    await prepared(credentials);
    await store.insert({ email: 'other@example.com', passwordHash: 'none', role: 'admin' });
    const { id } = (await store.findByEmail(credentials.email)) ?? { id: 0 };
    if (change === 'removed') await store.remove(id);
    else if (change === 'disabled') await store.update(id, { disabledAt: new Date() });
    else await store.update(id, { role: 'user' });
    const before = await store.list({ limit: 10, offset: 0 });

    const again = await prepared(credentials);
    expect([again.created, again.ignoredEmail]).toEqual([undefined, credentials.email]);
    expect(await store.list({ limit: 10, offset: 0 })).toEqual(before);
  });

  it('is not a user who has the e-mail', async () => {
    await store.insert({ email: 'root@example.com', passwordHash: 'none' });
    const first = await prepared({ email: 'root@example.com', password: 'the first password' });
    expect([first.created, first.ignoredEmail]).toEqual([undefined, 'root@example.com']);
    expect(await store.hasAdministrator()).toBe(false);
  });

  it('is one account for concurrent starts with different settings', async () => {
    const settings = [
      { email: 'one@example.com', password: 'the first password' },
      { email: 'two@example.com', password: 'the second password' },
      { folder },
    ];
    const others = settings.map(() => openDatabase(place.url));
    const firsts = await Promise.all(
      settings.map(async (options, at) => {
        const database = others[at] ?? db;
        const first = firstOn(database, passwords, options);
        await first.prepare();
        return first;
      }),
    );
    await Promise.all(others.map((database) => database.destroy()));
    expect(firsts.flatMap((first) => first.created ?? [])).toHaveLength(1);
    expect(await store.list({ limit: 10, offset: 0 })).toMatchObject([{ role: 'admin' }]);
  });

  it('is unchanged if the e-mail exists', async () => {
    await prepared({ email: 'root@example.com', password: 'the first password' });
    const again = await prepared({ email: 'ROOT@example.com', password: 'another password' });
    expect([again.created, again.ignoredEmail]).toEqual([undefined, undefined]);
    const account = await store.findByEmail('root@example.com');
    expect(await passwords.matches(account?.passwordHash, 'the first password')).toBe(true);
  });

  it('is generated without an administrator, and written to a file beside the database', async () => {
    const { created } = await prepared({ folder });
    expect(created).toMatchObject({
      email: 'admin@sluice.local',
      password: expect.stringMatching(/^[\w-]{20}$/),
    });
    const file = created?.file ?? '';
    expect(readFileSync(file, 'utf8')).toBe(`${created?.email}\n${created?.password}\n`);
    const account = await store.findByEmail('admin@sluice.local');
    expect(await passwords.matches(account?.passwordHash, created?.password ?? '')).toBe(true);
    expect(account?.passwordChangeRequiredAt).toBeInstanceOf(Date);
  });

  it('has no file any more once its password was changed, by another program too', async () => {
    const { created } = await prepared({ folder });
    const file = created?.file ?? '';
    await prepared({ folder });
    expect(existsSync(file)).toBe(true);
    const { id } = (await store.findByEmail('admin@sluice.local')) ?? { id: 0 };
    await store.update(id, { passwordHash: 'another', passwordChangeRequiredAt: null });
    await prepared({ email: 'root@example.com', password: 'the first password', folder });
    expect(existsSync(file)).toBe(false);
  });

  it('keeps its file while the passwords of others change', async () => {
    const { created } = await prepared({ folder });
    const credentials = new FirstCredentials({ storeFolder: folder });
    await credentials.forget('ada@example.com');
    expect(existsSync(created?.file ?? '')).toBe(true);
    await credentials.forget('admin@sluice.local');
    expect(existsSync(created?.file ?? '')).toBe(false);
    await credentials.forget('admin@sluice.local');
  });

  it('is in a file with mode 600', async () => {
    const { created } = await prepared({ folder });
    const modes = process.platform === 'win32' ? [0o666] : [0o600];
    expect(modes).toContain(statSync(created?.file ?? '').mode & 0o777);
  });

  it('is generated once by concurrent starts', async () => {
    const firsts = await Promise.all([prepared({ folder }), prepared({ folder }), prepared({ folder })]);
    const created = firsts.flatMap((first) => first.created ?? []);
    expect(created).toHaveLength(1);
    expect(readFileSync(created[0].file ?? '', 'utf8')).toContain(created[0].password);
    expect((await prepared({ folder })).created).toBeUndefined();
  });

  it('is not generated when another process creates a configured one meanwhile', async () => {
    const hash = passwords.hash.bind(passwords);
    vi.spyOn(passwords, 'hash').mockImplementationOnce(async (password) => {
      await prepared({ email: 'root@example.com', password: 'asked for it' });
      return hash(password);
    });
    expect((await prepared({ folder })).created).toBeUndefined();
    expect(await store.findByEmail('admin@sluice.local')).toBeUndefined();
  });

  it('is not generated without a directory', async () => {
    expect((await prepared({})).created).toBeUndefined();
    expect(await store.hasAdministrator()).toBe(false);
  });
});
