import {
  type AccountRow,
  AccountsStore,
  addressSubject,
  EmailConflictError,
  emailKey,
  EmailVerification,
  FactorEnrolments,
  type Limiter,
  mapEmailConflict,
  type SignedInUser,
  type SignIn,
  SignInLimits,
  SignInServices,
  SignUpAdmission,
  TooManyAttemptsError,
  TrustedIdentitiesStore,
} from '@app/accounts';
import { Database, inTransaction, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import {
  IdentityEmailConflictError,
  IdentityNotLinkedError,
  InvalidProviderResponseError,
  ProviderNotFoundError,
  ProviderUnavailableError,
} from './errors';
import { type BegunAuthorization, OidcAuthorizations } from './oidc-authorizations';
import { OidcFactor } from './oidc.factor';
import {
  type OidcProvider,
  OidcProviders,
  type ProvenIdentity,
  type ProviderResponse,
} from './oidc-provider';

/** The URL to which a client sends its user, and the secret that it keeps meanwhile. */
export interface Authorization {
  readonly url: string;
  readonly request: string;
}

/** The response that a client received, with the secret that it kept. */
export type CompletedAuthorization = ProviderResponse & Pick<Authorization, 'request'>;

/** The limit for authorizations per address. */
const begins = { limit: 1000, windowSeconds: 900 };

/** Signs in through identity providers, and links identities to accounts. */
@Injectable()
export class OidcSignIn {
  private readonly begins: Limiter;

  constructor(
    private readonly providers: OidcProviders,
    private readonly authorizations: OidcAuthorizations,
    private readonly db: Database,
    private readonly accounts: AccountsStore,
    private readonly identities: TrustedIdentitiesStore,
    private readonly enrolments: FactorEnrolments,
    private readonly verification: EmailVerification,
    private readonly admission: SignUpAdmission,
    private readonly signIns: SignInLimits,
    services: SignInServices,
  ) {
    this.begins = services.limiter(begins);
  }

  /** The providers' names. */
  get names(): readonly string[] {
    return this.providers.all.map(({ rules }) => rules.name);
  }

  /**
   * Begins a sign-in.
   *
   * @param prompt `login` makes the provider verify the user again, even during an existing sign-in there
   * @throws ProviderNotFoundError, ProviderUnavailableError, TooManyAttemptsError
   */
  begin(name: string, ip: string, prompt?: 'login'): Promise<Authorization> {
    return this.authorize(name, ip, () => this.authorizations.begin(name, null), prompt);
  }

  /**
   * Begins to link an identity to the caller's account.
   *
   * @throws the errors of {@link begin} and {@link FactorEnrolments.change}
   */
  beginLink(caller: SignedInUser, name: string, ip: string): Promise<Authorization> {
    return this.authorize(name, ip, () =>
      this.enrolments.change(caller, ({ id }, db) => this.authorizations.begin(name, id, db)),
    );
  }

  /**
   * Returns the account for a sign-in. A new identity gets the account that has verified the same e-mail, if the provider is
   * trusted with e-mails, or a new account.
   *
   * @returns `undefined` if the authorization or the response is invalid
   * @throws IdentityEmailConflictError if an existing account has the e-mail
   * @throws IdentityNotLinkedError if the account is missing, and the provider or `SIGN_UP` does not let it be created
   * @throws ProviderNotFoundError, ProviderUnavailableError, TooManySignUpsError
   */
  async prove(name: string, completed: CompletedAuthorization, ip: string): Promise<SignIn | undefined> {
    const provider = this.find(name);
    const identity = await this.identify(provider, completed, null, ip);
    if (identity === undefined) return undefined;
    const account = (await this.accountOf(identity)) ?? (await this.welcome(provider, identity, ip));
    const { kind } = OidcFactor;
    const { authTime } = identity;
    return account && { account, factors: [{ kind, name, amr: [], at: new Date(), authTime }] };
  }

  /**
   * Links the signed-in identity to the caller's account. The owner is notified.
   *
   * @throws IdentityConflictError if the identity already has an account, or the account already has an identity at the provider
   * @throws ProviderNotFoundError, ProviderUnavailableError, InvalidProviderResponseError
   * @throws the {@link FactorEnrolments.add} errors
   */
  async link(
    caller: SignedInUser,
    name: string,
    completed: CompletedAuthorization,
    ip: string,
  ): Promise<void> {
    const identity = await this.identify(this.find(name), completed, caller.userId, ip);
    if (identity === undefined) throw new InvalidProviderResponseError();
    const factor = { kind: OidcFactor.kind, name };
    await this.enrolments.add(caller, factor, ip, ({ id }, db) => this.identities.add(identity, id, db));
  }

  private async authorize(
    name: string,
    ip: string,
    begin: () => Promise<BegunAuthorization>,
    prompt?: 'login',
  ): Promise<Authorization> {
    const provider = this.find(name);
    const waitMs = await this.begins.count(`authorization:${addressSubject(ip)}`);
    if (waitMs > 0) throw new TooManyAttemptsError(waitMs);
    await waitFor(provider, ip, () => provider.configuration());
    const { request, ...secrets } = await begin();
    return { url: await provider.authorizationUrl(secrets, prompt), request };
  }

  private find(name: string): OidcProvider {
    const provider = this.providers.all.find(({ rules }) => rules.name === name);
    if (provider === undefined) throw new ProviderNotFoundError();
    return provider;
  }

  /** Identifies the user. While the provider is unavailable, the authorization is not used up. */
  private async identify(
    provider: OidcProvider,
    { request, ...response }: CompletedAuthorization,
    accountId: number | null,
    ip: string,
  ): Promise<ProvenIdentity | undefined> {
    const identity = await waitFor(provider, ip, async () => {
      await provider.configuration();
      const secrets = await this.authorizations.use(request, provider.rules.name, accountId);
      return secrets ? provider.identify(response, secrets) : null;
    });
    if (identity === null) return undefined;
    if (identity === undefined)
      await this.signIns.fail({ accountId: accountId ?? undefined, reason: 'credentials' }, ip);
    return identity;
  }

  private async accountOf(identity: ProvenIdentity, db?: Queries): Promise<AccountRow | undefined> {
    const { accountId = null } = (await this.identities.find(identity, db)) ?? {};
    return accountId === null ? undefined : this.accounts.findById(accountId, db);
  }

  /** Links or creates a new identity's account. If two first sign-ins run at once, the later uses the earlier's account. */
  private async welcome(
    provider: OidcProvider,
    identity: ProvenIdentity,
    ip: string,
  ): Promise<AccountRow | undefined> {
    try {
      return (await this.linkByEmail(provider, identity, ip)) ?? (await this.create(provider, identity, ip));
    } catch (error) {
      const account = await this.accountOf(identity);
      if (account !== undefined) return account;
      throw error instanceof EmailConflictError ? new IdentityEmailConflictError({ cause: error }) : error;
    }
  }

  /**
   * Links an identity by its e-mail. The account's e-mail must be verified here, because an attacker may have signed up with the
   * owner's address. It must also be equal rather than similar, because a similar address may be a separate mailbox.
   *
   * @throws IdentityEmailConflictError
   */
  private linkByEmail(
    { rules }: OidcProvider,
    identity: ProvenIdentity,
    ip: string,
  ): Promise<AccountRow | undefined> {
    const { email } = identity;
    if (!rules.trustsEmails || !identity.isEmailVerified || email === undefined)
      return Promise.resolve(undefined);
    return inTransaction(this.db, async (db) => {
      const account = await this.accounts.lockByEmail(email, db);
      if (account === undefined) return undefined;
      if (account.emailVerifiedAt === null || lowerAscii(account.email) !== lowerAscii(email))
        throw new IdentityEmailConflictError();
      // The sign-in says that it is disabled.
      if (account.disabledAt !== null) return account;
      await this.identities.add(identity, account.id, db);
      await this.enrolments.record(
        account,
        { kind: OidcFactor.kind, name: rules.name },
        'enrolled',
        { client: { ip } },
        db,
      );
      return account;
    });
  }

  private async create({ rules }: OidcProvider, identity: ProvenIdentity, ip: string): Promise<AccountRow> {
    if (!rules.createsAccounts || this.admission.isOff) throw new IdentityNotLinkedError();
    await this.admission.count(ip);
    const email = usableEmail(identity.email);
    const isVerified = email !== undefined && rules.trustsEmails && identity.isEmailVerified;
    const created = inTransaction(this.db, async (db) => {
      const request = { email: isVerified ? email : undefined, isEmailProven: isVerified };
      const admitted = await this.admission.admit(request, db);
      if (admitted === undefined) throw new IdentityNotLinkedError();
      const emailVerifiedAt = isVerified ? new Date() : undefined;
      const account = await this.identities.createAccount(identity, { email, emailVerifiedAt, ip }, db);
      await admitted.accept(account, db);
      if (this.verification.isOn && email !== undefined && !isVerified)
        await this.verification.beginIfWithin(account, email, ip, db);
      return account;
    });
    return mapEmailConflict(created);
  }
}

/** The pause after a request that found no place to wait. */
const FULL_MS = 1_000;

/** Waits for a provider at a place of the address. */
function waitFor<T>({ waiting }: OidcProvider, ip: string, wait: () => Promise<T>): Promise<T> {
  return waiting.hold(addressSubject(ip), wait) ?? Promise.reject(new ProviderUnavailableError(FULL_MS));
}

/** Returns the e-mail if a sign-up would accept it. */
function usableEmail(email: string | undefined): string | undefined {
  return email !== undefined && isEmail(email) && emailKey(email) !== undefined ? email : undefined;
}

/** Lowers ASCII letters only. `emailKey` maps further letters, widths and compositions, but does not identify mailboxes. */
function lowerAscii(email: string): string {
  return email.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
