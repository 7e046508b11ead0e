import { Exclude, Expose } from 'class-transformer';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { AccountsStore } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import { AccountExport } from './account-export';

@Exclude()
class Note {
  @Expose() text!: string;
}

class Open {
  @Expose() text!: string;
}

const read = async () => [{ id: 1, text: 'a note', secret: 'x' }];

describe('the export of accounts', () => {
  const store = useAccountsDatabase();
  const makeExport = () => new AccountExport(new AccountsStore(store.db), new AuditLog(store.db, 'api'));

  it('has the parts that were added, in their order, and records that it was made', async () => {
    const { id } = await new AccountsStore(store.db).insert({ email: 'ada@example.com', passwordHash: 'h' });
    const exported = makeExport()
      .add({ name: 'notes', as: Note, read })
      .add({ name: 'more', as: Note, read });
    let text = '';
    for await (const piece of (await exported.begin(id, '192.0.2.1')) ?? []) text += piece;
    expect(Object.keys(JSON.parse(text))).toEqual(['exportedAt', 'account', 'notes', 'more']);
    expect(JSON.parse(text)).toMatchObject({ account: { id }, notes: [{ text: 'a note' }] });
    const [event] = await new AuditLog(store.db, 'api').list({ limit: 1, offset: 0 }, { accountId: id });
    expect(event).toMatchObject({ kind: 'account-exported', ip: '192.0.2.1' });
  });

  it('has no account that does not exist, and records nothing', async () => {
    expect(await makeExport().begin(4711, '192.0.2.1')).toBeUndefined();
    const events = await new AuditLog(store.db, 'api').list({ limit: 1, offset: 0 }, { accountId: 4711 });
    expect(events).toEqual([]);
  });

  it('refuses two parts with one name, and a class that would send every field', () => {
    const exported = makeExport().add({ name: 'notes', as: Note, read });
    expect(() => exported.add({ name: 'notes', as: Note, read })).toThrow('give the part another name');
    expect(() => exported.add({ name: 'account', as: Note, read })).toThrow('give the part another name');
    expect(() => exported.add({ name: 'open', as: Open, read })).toThrow('Open sends every field');
  });
});
