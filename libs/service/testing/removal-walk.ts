import { randomBytes } from 'node:crypto';
import { AccountsStore, ApiKeys, MailTokens, SessionsStore, type SignedInUser } from '@app/accounts';
import type { SoftAuthenticator } from '@app/accounts/testing';
import { assertDescribed } from '@app/contract/testing';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import { BeforeStatements } from '@app/persistence/testing';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import { describeApi } from '../src/reference/api-description.service';
import { type AccountRemover, openAccountRemover } from './account-remover';
import { administrator, newEmail } from './administrator';
import type { BootedProgram } from './boot-program';
import { newAuthenticator } from './passkeys';
import { totpCode } from './totp';

/** An account with a sign-in. */
export interface WalkedAccount {
  readonly id: number;
  readonly email: string;
  readonly password: string;
  readonly sid: string;
  readonly sessionId: number;
}

/** The parameters and body that a route is sent. */
export interface WalkRequest {
  /** The path parameters. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** Makes a request that succeeds, together with the rows that it needs in the store. */
export type MakeWalkRequest = (
  caller: WalkedAccount,
  target: WalkedAccount,
) => WalkRequest | Promise<WalkRequest>;

/** A response to a request during which an account was removed. */
export interface WalkOutcome {
  readonly route: string;
  /** The number of the statement before which the account was removed. */
  readonly before: number;
  readonly status: number;
}

/** The service that enrols authenticator applications, as the walk uses it. */
interface EnrolsTotp {
  begin(caller: SignedInUser): Promise<{ readonly secret: string }>;
  confirm(caller: SignedInUser, code: string, ip: string): Promise<readonly string[]>;
}

/** The service that enrols passkeys, as the walk uses it. */
interface EnrolsPasskeys {
  begin(caller: SignedInUser): Promise<Parameters<SoftAuthenticator['create']>[0]>;
  confirm(caller: SignedInUser, credential: object, name: null, ip: string): Promise<unknown>;
}

/** The services for the ways to sign in, by their classes. */
export interface WalkedWays {
  readonly totp: abstract new (...parts: never[]) => EnrolsTotp;
  readonly passkeys: abstract new (...parts: never[]) => EnrolsPasskeys;
}

/**
 * Sends requests to routes. Each time an account is removed before the next statement in the request. Create it before the
 * program of the `describe`.
 */
export class RemovalWalk {
  private readonly statements = new BeforeStatements();
  private assertDescribed: ReturnType<typeof assertDescribed> | undefined;

  constructor(
    private readonly booted: () => BootedProgram,
    /** The callers' role. */
    private readonly role: 'user' | 'admin',
    private readonly ways: WalkedWays,
  ) {}

  /** The routes that write, such as `POST /posts`. */
  get routes(): string[] {
    const routes = describeRoutes(this.booted().app()).filter(({ method }) => method !== 'GET');
    return routes.map(({ method, path }) => `${method} ${path}`);
  }

  /**
   * Returns every response of a route while the account is removed. If the request has locked the account, it is removed
   * afterwards.
   */
  async walk(route: string, make: MakeWalkRequest, removed: 'caller' | 'target'): Promise<WalkOutcome[]> {
    const remover = await openAccountRemover(this.db);
    const outcomes: WalkOutcome[] = [];
    try {
      for (let from = 1; ; from = (outcomes.at(-1)?.before ?? 0) + 1) {
        const { before, status } = await this.sendWhileRemoving(route, make, removed, { from, remover });
        if (before !== undefined) outcomes.push({ route, before, status });
        else if (status < 300) return outcomes;
        else throw new Error(`${route} answers ${status} while nobody is removed`);
      }
    } finally {
      await remover.close();
    }
  }

  /**
   * Sends a request, and removes the account before a statement.
   *
   * @param from the first statement before which removal is tried
   */
  private async sendWhileRemoving(
    route: string,
    make: MakeWalkRequest,
    removed: 'caller' | 'target',
    { from, remover }: { from: number; remover: AccountRemover },
  ): Promise<{ status: number; before?: number }> {
    const [caller, target] = [await this.makeAccount(this.role), await this.makeAccount('user')];
    const request = await make(caller, target);
    const { id } = removed === 'caller' ? caller : target;
    let executed = 0;
    let before: number | undefined;
    const status = await this.statements.during(
      () => this.send(route, request, caller),
      async () => {
        const at = (executed += 1);
        if (at >= from && before === undefined && (await remover.remove(id))) before = at;
      },
    );
    return { status, before };
  }

  /** Creates an API key and returns its id. */
  async keyOf({ id: userId, sid }: WalkedAccount): Promise<number> {
    const { row } = await this.get(ApiKeys).create({ userId, sid }, { name: 'a key' });
    return row.id;
  }

  /** Returns a code that confirms a pending enrolment of an authenticator application. */
  async pendingTotpOf(account: WalkedAccount): Promise<string> {
    const { secret } = await this.get(this.ways.totp).begin(callerOf(account));
    return totpCode(secret);
  }

  /** Enrols an authenticator application, and returns the recovery codes. */
  async enrolTotp(account: WalkedAccount): Promise<readonly string[]> {
    return this.get(this.ways.totp).confirm(
      callerOf(account),
      await this.pendingTotpOf(account),
      '192.0.2.1',
    );
  }

  /** Returns the body that completes a sign-in by an e-mail code. */
  async emailCodeOf({ email: username }: WalkedAccount): Promise<object> {
    const { json } = await this.booted()().post('/auth/email-codes', { username });
    const [mail] = await this.get(Outbox).list({ limit: 1, offset: 0 });
    return { nonce: json.nonce, code: mail?.text?.link?.split('#token=')[1] };
  }

  /** Returns the credential that confirms a pending passkey, and keeps it in the authenticator. */
  async pendingPasskeyOf(account: WalkedAccount, authenticator = newAuthenticator()) {
    return authenticator.create(await this.get(this.ways.passkeys).begin(callerOf(account)));
  }

  /** Returns the credential that signs an account in by a passkey. */
  async passkeySignInOf(account: WalkedAccount) {
    const authenticator = newAuthenticator();
    const credential = await this.pendingPasskeyOf(account, authenticator);
    await this.get(this.ways.passkeys).confirm(callerOf(account), credential, null, '192.0.2.1');
    const { json } = await this.booted()().post('/auth/passkeys', {});
    return authenticator.get(json.options);
  }

  /** Returns the body that completes a sign-in, after enrolling a second factor for the account. */
  async pendingSignInOf(account: WalkedAccount): Promise<object> {
    const [code] = await this.enrolTotp(account);
    const body = { username: account.email, password: account.password };
    const { json } = await this.booted()().post('/auth/sessions', body);
    return { mfa_token: json.mfa_token, factor: 'recovery-code', code };
  }

  /** Returns the token from a mailed link that sets a new password. */
  async resetTokenOf({ id }: WalkedAccount): Promise<string> {
    const { token, hash } = this.get(MailTokens).make('password reset');
    await this.get(AccountsStore).setResetToken(id, hash, inAnHour(), this.db);
    return token;
  }

  get db(): Database {
    return this.get(Database);
  }

  private get<T>(type: abstract new (...parts: never[]) => T): T {
    return this.booted().app().get<T>(type, { strict: false });
  }

  /** Inserts an account with the administrator's password hash, which saves hashing a password. */
  private async makeAccount(role: 'user' | 'admin'): Promise<WalkedAccount> {
    const [{ email, password }, accounts] = [administrator, this.get(AccountsStore)];
    const { passwordHash = '' } = (await accounts.findByEmail(email)) ?? {};
    const emailVerifiedAt = new Date();
    const account = await accounts.insert({ email: newEmail(), emailVerifiedAt, passwordHash, role });
    const sid = `${randomBytes(9).toString('base64url')}.0`;
    const [createdAt, expiresAt] = [new Date(), inAnHour()];
    const times = { createdAt, lastUsedAt: createdAt, expiresAt };
    const session = await this.get(SessionsStore).insert(
      {
        accountId: account.id,
        sid,
        tagKey: 'a key',
        ip: '127.0.0.1',
        audience: null,
        device: null,
        amr: 'pwd',
        authenticatedAt: null,
        ...times,
      },
      this.db,
    );
    return { id: account.id, email: account.email, password, sid, sessionId: session.id };
  }

  private async send(
    route: string,
    { path = {}, body }: WalkRequest,
    caller: WalkedAccount,
  ): Promise<number> {
    const app = this.booted().app();
    const [method = '', template = ''] = route.split(' ');
    const url = template.replaceAll(/:(\w+)/g, (_, name: string) => String(path[name]));
    const token = await this.booted().tokenOf({ sub: caller.id, username: caller.email, sid: caller.sid });
    const form = body instanceof FormData ? new Response(body) : undefined;
    const type = form?.headers.get('content-type') ?? (body === undefined ? undefined : 'application/json');
    const { statusCode, headers, payload } = await app
      .getHttpAdapter()
      .getInstance()
      .inject({
        method: method as 'POST',
        url,
        headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
        payload: form ? Buffer.from(await form.arrayBuffer()) : JSON.stringify(body),
      });
    this.assertDescribed ??= assertDescribed(describeApi(app));
    this.assertDescribed({
      method,
      path: url,
      status: statusCode,
      contentType: String(headers['content-type'] ?? ''),
      text: payload,
    });
    return statusCode;
  }
}

function callerOf({ id: userId, email: username, sid }: WalkedAccount): SignedInUser {
  return { userId, username, sid, role: 'user', emailVerified: true };
}

function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000);
}
