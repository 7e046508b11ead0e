import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Passwords } from '@app/auth';
import { type Database, migrate, openDatabase } from '@app/persistence';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { AccountsStore } from './accounts.store';
import { FirstAdministrator, type FirstAdministratorOptions } from './first-administrator';

describe('the first administrator', () => {
  const passwords = new Passwords();
  let place: TemporaryDatabase;
  let db: Database;
  let store: AccountsStore;
  let folder: string;

  beforeEach(async () => {
    place = await temporaryDatabase();
    db = openDatabase(place.url);
    await migrate(db);
    store = new AccountsStore(db);
    folder = mkdtempSync(join(tmpdir(), 'sluice-first-'));
  });
  afterEach(async () => {
    await db.destroy();
    await place.remove();
    rmSync(folder, { recursive: true });
  });

  async function prepared(options: FirstAdministratorOptions): Promise<FirstAdministrator> {
    const first = new FirstAdministrator(db, store, passwords, options);
    await first.prepare();
    return first;
  }

  it('is made from the e-mail and the password that were asked for', async () => {
    const first = await prepared({ email: 'Root@example.com', password: 'asked for it', folder });
    expect(first.made).toEqual({ email: 'Root@example.com' });
    const account = await store.findByEmail('root@example.com');
    expect(account?.role).toBe('admin');
    expect(await passwords.matches(account?.passwordHash, 'asked for it')).toBe(true);
  });

  it('is left as it is when the e-mail is there already', async () => {
    await prepared({ email: 'root@example.com', password: 'the first password' });
    const again = await prepared({ email: 'ROOT@example.com', password: 'another password' });
    expect(again.made).toBeUndefined();
    const account = await store.findByEmail('root@example.com');
    expect(await passwords.matches(account?.passwordHash, 'the first password')).toBe(true);
  });

  it('is made up when nobody administers, and written down beside the data', async () => {
    const { made } = await prepared({ folder });
    expect(made).toMatchObject({
      email: 'admin@sluice.local',
      password: expect.stringMatching(/^[\w-]{20}$/),
    });
    const file = made?.file ?? '';
    expect(readFileSync(file, 'utf8')).toBe(`${made?.email}\n${made?.password}\n`);
    const account = await store.findByEmail('admin@sluice.local');
    expect(await passwords.matches(account?.passwordHash, made?.password ?? '')).toBe(true);
  });

  it('is kept in a file that its owner alone can read', async () => {
    const { made } = await prepared({ folder });
    const modes = process.platform === 'win32' ? [0o666] : [0o600];
    expect(modes).toContain(statSync(made?.file ?? '').mode & 0o777);
  });

  it('is made up once, however many programs start together', async () => {
    const firsts = await Promise.all([prepared({ folder }), prepared({ folder }), prepared({ folder })]);
    const made = firsts.flatMap((first) => first.made ?? []);
    expect(made).toHaveLength(1);
    expect(readFileSync(made[0].file ?? '', 'utf8')).toContain(made[0].password);
    expect((await prepared({ folder })).made).toBeUndefined();
  });

  it('is not made up when another program makes one that was asked for meanwhile', async () => {
    const hash = passwords.hash.bind(passwords);
    vi.spyOn(passwords, 'hash').mockImplementationOnce(async (password) => {
      await prepared({ email: 'root@example.com', password: 'asked for it' });
      return hash(password);
    });
    expect((await prepared({ folder })).made).toBeUndefined();
    expect(await store.findByEmail('admin@sluice.local')).toBeUndefined();
  });

  it('is not made up where there is no folder beside the data', async () => {
    expect((await prepared({})).made).toBeUndefined();
    expect(await store.hasAdministrator()).toBe(false);
  });
});
