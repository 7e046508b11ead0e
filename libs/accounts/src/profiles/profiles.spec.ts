import { DatabaseSchemas } from '@app/persistence';
import { sql } from 'kysely';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { accountTable } from '../account/account.table';
import { profileSchema, SampleProfile } from '../../testing/sample-profile';
import { AccountsStore } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import { ProfileConflictError } from '../errors';
import { ProfileShape } from './profile-shape';
import { Profiles } from './profiles';

describe('profiles', () => {
  const store = useAccountsDatabase(profileSchema);
  const make = () =>
    new Profiles(
      store.db,
      new AuditLog(store.db, 'api'),
      new ProfileShape(SampleProfile, accountTable),
      new DatabaseSchemas([profileSchema]),
    );
  const addAccount = async (email: string) =>
    (await new AccountsStore(store.db).insert({ email, passwordHash: 'none' })).id;

  it('are deleted with their accounts', async () => {
    const profiles = make();
    await profiles.check();
    const id = await addAccount('ada@example.com');
    await profiles.insert(id, { username: 'ada' }, store.db);
    expect((await profiles.read([id])).get(id)).toEqual({ accountId: id, username: 'ada' });
    await new AccountsStore(store.db).remove(id);
    expect((await profiles.read([id])).size).toBe(0);
  });

  it.each(['', 'references account (id)', 'references account (id) on delete set null'])(
    'need a table whose rows are: %j',
    async (reference) => {
      await sql`drop table profile`.execute(store.db);
      await sql`create table profile (account_id bigint ${sql.raw(reference)})`.execute(store.db);
      await expect(make().check()).rejects.toThrow('on delete cascade');
    },
  );

  it('name the field whose value another account has', async () => {
    const profiles = make();
    const [first, second] = [await addAccount('ada@example.com'), await addAccount('eve@example.com')];
    await profiles.insert(first, { username: 'ada' }, store.db);
    const failed = profiles.mapConflict(profiles.insert(second, { username: 'ada' }, store.db));
    await expect(failed).rejects.toBeInstanceOf(ProfileConflictError);
    await expect(failed).rejects.toMatchObject({ reply: { message: 'username is already taken' } });
    const cause = new Error('another fault');
    await expect(profiles.mapConflict(Promise.reject(cause))).rejects.toBe(cause);
  });
});
