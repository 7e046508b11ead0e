import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accounts, AdministratorReset, Enrolments, SignUp, type SignUpInvitations } from '@app/accounts';
import { FakeIssuer, IdentityProvider } from '@app/accounts/testing';
import { emailCodes } from '@app/email-codes';
import { oidc } from '@app/oidc';
import { Database } from '@app/persistence';
import { defineProgram, definePlugin } from '@app/service';
import { type BootedProgram, bootProgram, newEmail } from '@app/service/testing';
import { trustedIssuers } from '@app/trusted-issuers';
import { Injectable } from '@nestjs/common';

const password = 'correct horse battery staple';

/** A test's invitations: a secret for an e-mail, for a single use. */
@Injectable()
class Invitations implements SignUpInvitations {
  readonly emails = new Map<string, string>();
  readonly joined: number[] = [];

  find: SignUpInvitations['find'] = ({ email, isEmailProven, invitation }) => {
    const [secret] = [...this.emails].find(([, invited]) => invited === email) ?? [];
    if (secret === undefined || (!isEmailProven && invitation !== secret)) return Promise.resolve(undefined);
    const accept = ({ id }: { id: number }) => {
      this.emails.delete(secret);
      this.joined.push(id);
      return Promise.resolve();
    };
    return Promise.resolve({ provesEmail: true, accept });
  };
}

const invitations = definePlugin({
  name: 'invitations',
  providers: () => [Invitations],
  invitations: Invitations,
});

const plugins = [accounts(), emailCodes(), oidc(), trustedIssuers()] as const;
const plain = defineProgram({ name: 'shop', plugins });
const inviting = defineProgram({ name: 'shop', plugins: [...plugins, invitations] });

let acme: IdentityProvider;
let issuer: FakeIssuer;
beforeAll(async () => {
  [acme, issuer] = await Promise.all([IdentityProvider.start('acme'), FakeIssuer.start()]);
});
afterAll(() => Promise.all([acme.stop(), issuer.stop()]));

/** Starts a program with a value of `SIGN_UP`, and returns every way in which an account comes to be. */
function boot(program: typeof plain, signUp: 'open' | 'invited' | 'off') {
  const env: Record<string, string> = { SIGN_UP: signUp, EMAIL_CODES: '20/1h' };
  beforeAll(() => {
    Object.assign(env, acme.env, {
      OIDC_ACME_TRUST_EMAIL: 'on',
      TRUSTED_ISSUERS: `${issuer.url} audience=shop-api`,
    });
  });
  const shop = bootProgram({ ...program, env });
  const db = () => shop.app().get(Database, { strict: false });
  const accountOf = (email: string) =>
    db().selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst();
  const hasAccount = async (email: string) => (await accountOf(email)) !== undefined;
  return {
    shop,
    accountOf,
    async signUp(email = newEmail(), more: object = {}) {
      const { status, json } = await shop().post('/users', { email, password, ...more });
      return [status, json.message, await hasAccount(email)];
    },
    async provider(email = newEmail(), isVerified = true) {
      acme.users.set(email, { email, email_verified: isVerified });
      const response = await acme.responseFor(shop(), email);
      const { status, json } = await shop().post('/auth/providers/acme/complete', response);
      return [status, json.message, await hasAccount(email)];
    },
    async issuer() {
      const token = await issuer.sign({ sub: newEmail() });
      return (await shop().as(token).get('/auth/profile')).status;
    },
    async emailCode() {
      const email = newEmail();
      const { status } = await shop().post('/auth/email-codes', { username: email });
      return [status, await hasAccount(email)];
    },
    async operator() {
      const email = newEmail();
      const { json } = await (
        await shop().signIn(shop.administratorEmail, shop.administratorPassword)
      ).get('/auth/profile');
      await shop.app().get(SignUp, { strict: false }).create({ email, password }, { id: json.userId });
      return hasAccount(email);
    },
    async command() {
      const email = newEmail();
      await new AdministratorReset(db(), new Enrolments(program.factors)).reset(email, password);
      return hasAccount(email);
    },
  };
}

describe('every way in which an account comes to be', () => {
  it('is in this file', () => {
    const root = join(__dirname, '../../..');
    const sources = globSync(['libs/*/src/**/*.ts', 'apps/*/src/**/*.ts'], { cwd: root })
      .filter((path) => !path.endsWith('.spec.ts'))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
    const pathsWith = (pattern: RegExp) =>
      sources
        .filter(({ text }) => pattern.test(text))
        .map(({ path }) => path)
        .toSorted();
    expect(pathsWith(/insertInto\(['"]account['"]\)/)).toEqual([
      'libs/accounts/src/account/accounts.store.ts',
    ]);
    expect(pathsWith(/AccountsStore[^]*\bthis\.(?:store|accounts)\.insert\(/)).toEqual([
      'libs/accounts/src/administrators/administrator-reset.ts',
      'libs/accounts/src/administrators/first-administrator.ts',
      'libs/accounts/src/identities/trusted-identities.store.ts',
      'libs/accounts/src/sign-up.ts',
    ]);
    expect(pathsWith(/\.createAccount\(/)).toEqual([
      'libs/accounts/src/identities/trusted-identities.store.ts',
      'libs/oidc/src/oidc-sign-in.ts',
    ]);
    expect(pathsWith(/signUp\.create\(/)).toEqual([
      'libs/accounts/src/operators/operator-users.controller.ts',
      'libs/accounts/src/users.controller.ts',
    ]);
  });
});

describe('SIGN_UP=open', () => {
  const ways = boot(inviting, 'open');

  it('lets everybody create an account', async () => {
    expect(await ways.signUp()).toEqual([201, undefined, true]);
    expect(await ways.provider()).toEqual([201, undefined, true]);
    expect(await ways.issuer()).toBe(200);
    expect(await ways.emailCode()).toEqual([202, false]);
  });

  it('still checks an invitation that is sent', async () => {
    expect(await ways.signUp(newEmail(), { invitation: 'unknown' })).toEqual([403, required, false]);
  });
});

describe('SIGN_UP=off', () => {
  const ways = boot(inviting, 'off');

  it('refuses new users, with and without an invitation', async () => {
    const invitation = invite(ways.shop);
    expect(await ways.signUp()).toEqual([404, off, false]);
    expect(await ways.signUp(invitation.email, invitation)).toEqual([404, off, false]);
    expect(await ways.provider(invitation.email)).toEqual([
      403,
      expect.stringContaining('no account'),
      false,
    ]);
    expect(await ways.issuer()).toBe(401);
    expect(await ways.emailCode()).toEqual([202, false]);
  });

  it('leaves operators, commands and existing accounts as they are', async () => {
    expect(await ways.operator()).toBe(true);
    expect(await ways.command()).toBe(true);
  });
});

describe('SIGN_UP=invited', () => {
  const ways = boot(inviting, 'invited');

  it('refuses new users without an invitation', async () => {
    expect(await ways.signUp()).toEqual([403, required, false]);
    expect(await ways.signUp(newEmail(), { invitation: 'unknown' })).toEqual([403, required, false]);
    expect(await ways.provider()).toEqual([403, expect.stringContaining('no account'), false]);
    expect(await ways.issuer()).toBe(401);
    expect(await ways.emailCode()).toEqual([202, false]);
  });

  it('does not tell them which e-mails have an account', async () => {
    const { status } = await ways.shop().post('/users', { email: ways.shop.administratorEmail, password });
    expect(status).toBe(403);
  });

  it('lets an invited user sign up once, with a proven e-mail', async () => {
    const { email, invitation } = invite(ways.shop);
    expect(await ways.signUp(newEmail(), { invitation })).toEqual([403, required, false]);
    expect(await ways.signUp(email, { invitation })).toEqual([201, undefined, true]);
    expect(await ways.signUp(newEmail(), { invitation })).toEqual([403, required, false]);
    const account = await ways.accountOf(email);
    expect(account?.emailVerifiedAt).toBeInstanceOf(Date);
    expect(invitationsOf(ways.shop).joined).toEqual([account?.id]);
  });

  it('keeps the invitation if the account cannot be created', async () => {
    const { emails } = invitationsOf(ways.shop);
    emails.set('secret-of-administrator', ways.shop.administratorEmail);
    const invited = { invitation: 'secret-of-administrator', password };
    const { status } = await ways.shop().post('/users', { email: ways.shop.administratorEmail, ...invited });
    expect([status, emails.has('secret-of-administrator')]).toEqual([409, true]);
  });

  it('lets an invited user sign up with a provider that has verified the e-mail', async () => {
    const { email } = invite(ways.shop);
    expect(await ways.provider(email, false)).toEqual([403, expect.stringContaining('no account'), false]);
    expect(await ways.provider(email)).toEqual([201, undefined, true]);
  });

  it('leaves operators and commands as they are', async () => {
    expect(await ways.operator()).toBe(true);
    expect(await ways.command()).toBe(true);
  });
});

describe('SIGN_UP=invited in a program that invites nobody', () => {
  const ways = boot(plain, 'invited');

  it('is off', async () => {
    expect(await ways.signUp()).toEqual([404, off, false]);
    expect(await ways.provider()).toEqual([403, expect.stringContaining('no account'), false]);
    expect(await ways.issuer()).toBe(401);
  });
});

const off = 'sign-up is off: ask an operator for an account';
const required = 'a valid invitation is required: ask for a new one';

function invitationsOf(shop: BootedProgram): Invitations {
  return shop.app().get(Invitations, { strict: false });
}

let secrets = 0;

function invite(shop: BootedProgram): { readonly email: string; readonly invitation: string } {
  secrets += 1;
  const [email, invitation] = [newEmail(), `secret-${secrets}`];
  invitationsOf(shop).emails.set(invitation, email);
  return { email, invitation };
}
