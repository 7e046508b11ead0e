import { Readable } from 'node:stream';
import { Passwords } from '@app/auth';
import { type Database, openDatabase, PendingMigrationsError } from '@app/persistence';
import { temporaryDatabase } from '@app/persistence/testing';
import { accountsSchemas, useAccountsDatabase } from '../../testing/accounts-database';
import { AccountsStore } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import { EmailLinksStore } from '../account/email-links.store';
import { Enrolments } from '../factors/enrolments';
import { runAdminResetCommand } from './admin-reset-command';

const email = 'root@example.com';
const none = Readable.from([]);

describe('the command that resets an administrator', () => {
  const database = useAccountsDatabase();
  const passwords = new Passwords();
  const accountOf = (address: string) => new AccountsStore(database.db).findByEmail(address);
  const hasPassword = async (address: string, password: string) =>
    passwords.matches((await accountOf(address))?.passwordHash, password);
  const run = (args: readonly string[], input: Readable = none, db: Database = database.db) =>
    runAdminResetCommand(db, args, { histories: accountsSchemas, enrolments: new Enrolments() }, input);

  it('creates an administrator with a generated password, which is printed once', async () => {
    const [done, printed, next] = await run(['--email', email]);
    expect(done).toBe(`${email} is an administrator. The account was created.`);
    const password = /^password, shown once: (\S{20})$/.exec(printed ?? '')?.[1] ?? '';
    expect(await accountOf(email)).toMatchObject({
      role: 'admin',
      disabledAt: null,
      passwordChangeRequiredAt: expect.any(Date),
    });
    expect(await hasPassword(email, password)).toBe(true);
    expect(next).toContain('must be changed at the first sign-in');
  });

  it('restores one who was disabled and demoted, with the password of standard input', async () => {
    const store = new AccountsStore(database.db);
    const { id } = await store.insert({ email, passwordHash: 'none', role: 'user' });
    await store.update(id, { disabledAt: new Date(), passwordChangeRequiredAt: new Date() });
    const lines = await run(
      ['--email=ROOT@example.com', '--password-stdin'],
      Readable.from(['a new phrase\n']),
    );
    expect(lines).toEqual([
      'ROOT@example.com is an administrator. Its password was set; 0 sessions and 0 API keys were revoked.',
    ]);
    expect(await accountOf(email)).toMatchObject({
      id,
      role: 'admin',
      disabledAt: null,
      passwordChangeRequiredAt: null,
    });
    expect(await hasPassword(email, 'a new phrase')).toBe(true);
  });

  it('gives the account the e-mail as the operator spells it: another spelling may be the mailbox of somebody else', async () => {
    const store = new AccountsStore(database.db);
    const { id } = await store.insert({ email: '\u017fam@example.com', passwordHash: 'none' });
    await run(['--email=sam@example.com']);
    expect(await store.findById(id)).toMatchObject({ email: 'sam@example.com', role: 'admin' });
  });

  it('takes an e-mail that a former owner may get back', async () => {
    const store = new AccountsStore(database.db);
    const { id: accountId } = await store.insert({ email: 'other@example.com', passwordHash: 'none' });
    const expiresAt = new Date(Date.now() + 60_000);
    const link = {
      kind: 'undo',
      accountId,
      email,
      tokenHash: 'a hash',
      expiresAt,
      isUndoable: true,
    } as const;
    await new EmailLinksStore(database.db).insert(link, database.db);
    expect(await run(['--email', email])).toContain(`${email} is an administrator. The account was created.`);
  });

  it('is audited, without the password', async () => {
    await run(['--email', email, '--password-stdin'], Readable.from(['a new phrase']));
    const events = await new AuditLog(database.db, 'api').list({ limit: 10, offset: 0 });
    expect(events).toMatchObject([
      { kind: 'administrator-reset', program: 'admin:reset', actorId: null, ip: null },
    ]);
    expect(JSON.parse(events[0]?.detail ?? '')).toEqual({ isCreated: true, sessions: 0, keys: 0 });
  });

  it.each([
    [[]],
    [['--email', 'root']],
    [['--email', email, '--password', 'hunter2hunter2']],
    [['--email', email, '--password=hunter2hunter2']],
    [['--email', email, 'hunter2hunter2']],
  ])('rejects other arguments, and repeats none: %j', async (args) => {
    const error = await run(args).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/give --email admin@example\.com/);
    expect(String(error)).not.toContain('hunter2');
    expect(await accountOf(email)).toBeUndefined();
  });

  it.each(['short', 'x'.repeat(257), 'lone \ud800 surrogate', ''])(
    'rejects a password that a sign-up would reject',
    async (password) => {
      await expect(run(['--email', email, '--password-stdin'], Readable.from([password]))).rejects.toThrow(
        /^the password must be/,
      );
      expect(await accountOf(email)).toBeUndefined();
    },
  );

  it('names the migrations that the database lacks, and changes nothing', async () => {
    const place = await temporaryDatabase();
    const db = openDatabase(place.url);
    await expect(run(['--email', email], none, db)).rejects.toThrow(PendingMigrationsError);
    await db.destroy();
    await place.remove();
  });
});
