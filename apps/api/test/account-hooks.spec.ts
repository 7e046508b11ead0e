import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accounts, SignUp } from '@app/accounts';
import { FakeIssuer, IdentityProvider } from '@app/accounts/testing';
import { httpError } from '@app/http-errors';
import { oidc } from '@app/oidc';
import { Database, type Columns, defineTable, type MigrationContext, type Queries } from '@app/persistence';
import { definePlugin, defineProgram } from '@app/service';
import { bootProgram, newEmail } from '@app/service/testing';
import { trustedIssuers } from '@app/trusted-issuers';
import type { Generated } from 'kysely';

const root = join(__dirname, '../../..');
const password = 'correct horse battery staple';

/** A line that a hook wrote. */
interface NoteTable {
  id: Generated<number>;
  accountId: number;
  text: string;
}

declare module '@app/persistence' {
  interface Tables {
    note: NoteTable;
  }
}

const noteTable = defineTable('note', {
  secrecy: { id: 'open', accountId: 'open', text: 'open' },
  exported: 'nothing of an account',
  migrations: { '0001-note': { apply: createNote } },
});

async function createNote({ schema }: MigrationContext, { integer, text, id }: Columns): Promise<void> {
  await schema
    .createTable('note')
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .execute();
}

const note = async (accountId: number, text: string, db: Queries) =>
  void (await db.insertInto('note').values({ accountId, text }).execute());

const RefusedError = httpError('RefusedError', 409, 'refused', {
  title: 'The hook refused the account',
  remedy: 'Choose a different e-mail.',
  log: 'The hook refused the account.',
  reply: 'refused',
});

/** A plugin that writes down what happens to accounts, and refuses addresses that start with `refused-`. */
const notes = definePlugin({
  name: 'notes',
  tables: [noteTable],
  on: {
    'account.created': async ({ id, email, role }, db) => {
      await note(id, `created ${role}`, db);
      if (email.startsWith('refused-')) throw new RefusedError();
    },
    'account.changed': async (now, db, before) => {
      const changed = (['email', 'role', 'disabledAt', 'passwordChangedAt'] as const).filter(
        (column) => JSON.stringify(now[column]) !== JSON.stringify(before[column]),
      );
      await note(now.id, `changed ${changed.join(' ')}`, db);
    },
    'account.deleted': async ({ id }, db) => {
      const owned = await db.selectFrom('session').select('id').where('accountId', '=', id).execute();
      await note(id, `deleted with ${owned.length} sessions`, db);
    },
  },
});

const program = defineProgram({ name: 'shop', plugins: [notes, accounts(), oidc(), trustedIssuers()] });

describe('the hooks of a plugin on accounts', () => {
  const env: Record<string, string> = { SIGN_UP_ADDRESS_LIMIT: 'off' };
  let issuer: FakeIssuer;
  let provider: IdentityProvider;
  beforeAll(async () => {
    [issuer, provider] = await Promise.all([FakeIssuer.start(), IdentityProvider.start('acme')]);
    Object.assign(env, provider.env, { TRUSTED_ISSUERS: `${issuer.url} audience=shop` });
  });
  afterAll(() => Promise.all([issuer.stop(), provider.stop()]));
  const shop = bootProgram({ ...program, env });
  const db = () => shop.app().get(Database, { strict: false });
  const notesOf = async (accountId: number) =>
    (
      await db().selectFrom('note').selectAll().where('accountId', '=', accountId).orderBy('id').execute()
    ).map(({ text }) => text);
  async function signUp(email = newEmail()) {
    const { status, headers, json } = await shop().post('/users', { email, password });
    return { email, status, json, id: Number(headers.get('location')?.split('/').at(-1)) };
  }
  const idOf = async (email: string) =>
    (await db().selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;

  /** The files that create accounts, with a use of each way that they implement. Each returns ids of new accounts. */
  const ways: Record<string, () => Promise<readonly number[]>> = {
    'libs/accounts/src/sign-up.ts': async () => [
      (await signUp()).id,
      (
        await shop
          .app()
          .get(SignUp, { strict: false })
          .create({ email: newEmail(), password }, { id: await idOf(shop.administratorEmail) })
      ).id,
    ],
    'libs/accounts/src/administrators/first-administrator.ts': async () => [
      await idOf(shop.administratorEmail),
    ],
    'libs/accounts/src/administrators/administrator-reset.ts': async () => {
      const email = newEmail();
      const command = program.commands?.find(({ name }) => name === 'admin:reset');
      await command?.run({
        args: ['--email', email],
        print: () => {},
        histories: [],
        factors: program.factors ?? [],
        accountHooks: program.accountHooks ?? {},
        readSettings: () => neverCalled(),
        onDatabase: async (_use, run) => void (await run(db(), undefined)),
      });
      return [await idOf(email)];
    },
    'libs/accounts/src/identities/trusted-identities.store.ts': async () => {
      provider.users.set('ada', { email: newEmail(), email_verified: true });
      const body = await provider.responseFor(shop(), 'ada');
      const { json } = await shop().post('/auth/providers/acme/complete', body);
      const tokens = [json.access_token, await issuer.sign({ sub: 'ada', aud: 'shop' })];
      const profiles = tokens.map(async (token) => (await shop().as(token).get('/auth/profile')).json.userId);
      return Promise.all(profiles);
    },
  };

  it('run for every way in which an account can come to be', async () => {
    for (const [file, use] of Object.entries(ways))
      for (const id of await use())
        expect([file, await notesOf(id)]).toEqual([file, [expect.stringMatching(/^created (user|admin)$/)]]);
    const { accounts: all } = await db()
      .selectFrom('account')
      .select((sql) => sql.fn.countAll<number | string>().as('accounts'))
      .executeTakeFirstOrThrow();
    const created = await db().selectFrom('note').select('id').where('text', 'like', 'created %').execute();
    expect(created).toHaveLength(Number(all));
  });

  it('have a use above for each file that creates accounts', () => {
    expect(sources().filter(createsAccounts).toSorted()).toEqual(Object.keys(ways).toSorted());
  });

  it('cannot be passed by: one file writes the table, and only readers have a store without hooks', () => {
    const writes =
      /(insertInto|mergeInto|updateTable|deleteFrom)\(\s*'account'|(into|update|from) account\b[^']*`/;
    const writers = sources().filter((file) => writes.test(textOf(file)));
    expect(writers).toEqual(['libs/accounts/src/account/accounts.store.ts']);
    const unhooked = sources().filter((file) => /new AccountsStore\([^,()]*\)/.test(textOf(file)));
    // The filter of errors reads the state of an account.
    expect(unhooked).toEqual(['libs/service/src/program/create-program.bootstrap.ts']);
  });

  it('are rolled back with the account, and roll it back', async () => {
    const { status, json, email } = await signUp(`refused-${newEmail()}`);
    expect([status, json.message]).toEqual([409, 'refused']);
    expect(await db().selectFrom('account').select('id').where('email', '=', email).execute()).toEqual([]);
    const { id, email: taken } = await signUp();
    expect((await signUp(taken)).status).toBe(409);
    expect(await notesOf(id)).toEqual(['created user']);
  });

  it('see an account before and after a change, and before its deletion', async () => {
    const { id, email } = await signUp();
    const [changed, newPassword] = [newEmail(), 'another correct horse'];
    const change = async (username: string, current: string, body: object) => {
      const { status } = await (await shop().signIn(username, current)).patch(`/users/${id}`, body);
      expect(status).toBe(200);
    };
    await change(email, password, { email, password: newPassword });
    await change(email, newPassword, { email: changed });
    await shop().post('/auth/sessions', { username: changed, password: newPassword });
    const owner = await shop().signIn(changed, newPassword);
    expect((await owner.delete('/users/me')).status).toBe(204);
    expect(await notesOf(id)).toEqual([
      'created user',
      'changed passwordChangedAt',
      'changed email',
      'deleted with 1 sessions',
    ]);
  });
});

function sources(): string[] {
  return globSync('{apps,libs,tools}/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.spec.ts'),
  );
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns whether a file calls `insert` of an {@link AccountsStore}. */
function createsAccounts(file: string): boolean {
  const text = textOf(file);
  const stores = [...text.matchAll(/(\w+)\s*(?::\s*|=\s*new )AccountsStore\b/g)].map(([, name]) => name);
  return stores.some((name) => new RegExp(`\\b${name}\\s*\\.insert\\(`).test(text));
}

function neverCalled(): never {
  throw new TypeError('the command reads no settings');
}
