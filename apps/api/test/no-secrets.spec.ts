import { Administration, AdministratorReset, Enrolments, auditKinds } from '@app/accounts';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { ofAllTenants } from '@app/persistence/testing';
import { administrator, type Client, enrolTotp, newEmail } from '@app/service/testing';
import { program } from '../src/api.program';
import { bootApi } from '../testing/boot-api';

const [password, another, reset, initial, typo] = [
  'a password that is right',
  'a password that is new',
  'a password that was reset',
  'a password of an operator',
  'a mistyped password',
];
/** A password that was typed as a username. */
const slip = 'a password in the wrong field';

describe('the database, after every event of an account', () => {
  const api = bootApi({ env: { SIGN_IN_FAILURES: '2', EMAIL_VERIFICATION: 'on', EMAIL_CODES: '5/1h' } });
  const email = newEmail();
  const secrets: string[] = [password, another, reset, initial, typo, slip, administrator.password];
  let rows: Record<string, readonly object[]> = {};

  beforeAll(async () => {
    const { headers } = await api().post('/users', { email, password });
    const path = headers.get('location') ?? '';
    secrets.push(await confirm(await api().signIn(email, password)), ...(await changeEmails()));
    const credentials = { username: email, password };
    const login = (await api().post('/auth/login', credentials)).json.access_token;
    const session = (await api().post('/auth/sessions', credentials)).json;
    const turned = (await api().post('/auth/refresh', { refresh_token: session.refresh_token })).json;
    const key = (await api().as(login).post('/auth/api-keys', { name: 'robot' })).json;
    await api().as(login).get('/users/me/export');
    await api().as(login).get('/users');
    await api().with({ 'x-api-key': key.apiKey }).get('/auth/api-keys/current');
    await api().as(login).delete(`/auth/api-keys/${key.id}`);
    secrets.push(...(await useSecondFactor()));
    secrets.push((await api().post('/auth/email-codes', { username: slip })).json.nonce);
    await api().post('/auth/login', { username: slip, password: typo });
    for (const { refresh_token } of [session, turned, session])
      await api().post('/auth/refresh', { refresh_token });
    const secondSession = (await api().post('/auth/sessions', credentials)).json;
    await api().as(secondSession.access_token).patch(path, { email, password: another });
    await api().as(secondSession.access_token).post('/auth/logout');
    for (let failure = 0; failure < 3; failure += 1)
      await api().post('/auth/login', { username: email, password: typo });
    await api().post('/auth/password-resets', { username: email });
    const token = await newestToken();
    await api().post('/auth/password-resets/complete', { token, password: reset });
    await api().post('/auth/password-resets', { username: email });
    const operator = api.app().get(Administration, { strict: false });
    const id = Number(path.split('/').at(-1));
    for (const change of [
      { role: 'admin' },
      { role: 'user' },
      { disabled: true },
      { disabled: false },
    ] as const)
      await operator.change(id, change, { id: 1, client: { ip: '192.0.2.1' } });
    await new AdministratorReset(
      api.app().get(Database, { strict: false }),
      new Enrolments(program.factors),
    ).reset(email, initial);
    const pairs = [session, turned, secondSession].flatMap((pair) => [pair.access_token, pair.refresh_token]);
    secrets.push(token, login, key.apiKey, ...pairs);
    rows = await everything();
  });

  async function newestToken(): Promise<string> {
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    return mail?.text?.link?.split('#token=')[1] ?? '';
  }

  /** @returns the token */
  async function confirm(client: Client): Promise<string> {
    const token = await newestToken();
    const { status } = await client.post('/auth/email-verifications/complete', { token });
    expect(status).toBe(204);
    return token;
  }

  /** Changes the e-mail of another account, undoes that, and changes the spelling of its own; returns the tokens. */
  async function changeEmails(): Promise<readonly string[]> {
    const own = newEmail();
    const path = (await api().post('/users', { email: own, password })).headers.get('location') ?? '';
    const client = await api().signIn(own, password);
    const first = await confirm(client);
    await client.patch(path, { email: newEmail() });
    const second = await confirm(client);
    const undo = await newestToken();
    await api().post('/auth/email-changes/undo', { token: undo, password });
    return [first, second, undo];
  }

  /** Enrols a second account, signs in by a recovery code, replaces the codes, and ends the enrolment. Returns the secrets. */
  async function useSecondFactor(): Promise<readonly string[]> {
    const username = newEmail();
    await api().post('/users', { email: username, password });
    const client = await api().signIn(username, password);
    const { secret, recoveryCodes } = await enrolTotp(client);
    const [code = ''] = recoveryCodes;
    const { json } = await api().post('/auth/sessions', { username, password });
    const complete = { mfa_token: json.mfa_token, factor: 'recovery-code', code };
    expect((await api().post('/auth/sessions/complete', complete)).status).toBe(201);
    const pending = (await api().post('/auth/sessions', { username, password })).json.mfa_token;
    const replaced = (await client.post('/auth/factors/recovery-codes')).json.recoveryCodes;
    await client.delete('/auth/factors/totp');
    await enrolTotp(client);
    return [secret, pending, ...recoveryCodes, ...replaced];
  }

  async function everything(): Promise<Record<string, readonly object[]>> {
    const db = api.app().get(Database, { strict: false });
    const tables: Record<string, readonly object[]> = {};
    for (const { name } of await db.introspection.getTables())
      tables[name] = await ofAllTenants(db)
        .selectFrom(name as 'account')
        .selectAll()
        .execute();
    return tables;
  }

  it('contains no secret that authenticates (P4, P6)', () => {
    expect(secrets.every((secret) => secret.length > 15)).toBe(true);
    const text = JSON.stringify(rows);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(rows.account.length).toBeGreaterThan(1);
    for (const account of rows.account)
      expect(account).toHaveProperty(
        'passwordHash',
        expect.stringMatching(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/),
      );
  });

  it('has audit events without a username as entered, or a hash', () => {
    const happened = new Set(rows.audit_event.map((event) => 'kind' in event && event.kind));
    const ofOperators = new Set<string>([
      'account-deleted',
      'outbox-read',
      'audit-exported',
      'profile-changed',
    ]);
    expect(happened).toEqual(new Set(auditKinds.filter((kind) => !ofOperators.has(kind))));
    const text = JSON.stringify(rows.audit_event);
    for (const word of [email, '@example.com', 'argon2', 'sluice_']) expect(text).not.toContain(word);
  });
});
