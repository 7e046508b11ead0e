import { availableParallelism } from 'node:os';
import {
  AccessTokens,
  deriveKeys,
  isArgon2idNative,
  loadCommonPasswords,
  loadOrCreateKeys,
  Passwords,
  TokenKeyFile,
} from '@app/auth';
import { MailWorker, Outbox } from '@app/mail';
import { Database, workerNumber } from '@app/persistence';
import { type FactoryProvider, Type, Logger } from '@nestjs/common';
import { AccessCheck } from '../access-check';
import { Accounts } from '../accounts';
import { AccountsStore } from '../accounts.store';
import { Administration } from '../administration';
import { ApiKeys } from '../api-keys';
import { AttemptsStore } from '../attempts.store';
import { AuditChain } from '../audit/audit-chain';
import { ChainCheck } from '../audit/chain-check';
import { AuditLog } from '../audit-log';
import { CredentialCheck } from '../credential-check';
import { EmailChange } from '../email-verification/email-change';
import { EmailConfirmation } from '../email-verification/email-confirmation';
import { EmailLinksStore } from '../email-verification/email-links.store';
import { EmailMails } from '../email-verification/email-mails';
import { EmailUndo } from '../email-verification/email-undo';
import { EmailVerification } from '../email-verification/email-verification';
import { AccountExport } from '../export/account-export';
import { addAccountParts } from '../export/account-parts';
import { FamiliarAddresses } from '../familiar-addresses';
import { FirstAdministrator } from '../first-administrator';
import { HourlyLimit } from '../hourly-limit';
import type { AccountMails } from '../mails/account-mails';
import { AccountNotices } from '../mails/account-notices';
import type { AccountsOptions } from '../options';
import { NewDevices } from '../new-devices';
import { PasswordChange } from '../password-change';
import { AccessEnd } from '../password-reset/access-end';
import { PasswordResets } from '../password-reset/password-resets';
import { ResetCompletion } from '../password-reset/reset-completion';
import { ResetMails } from '../password-reset/reset-mails';
import { RevocationFeed } from '../revocation/revocation-feed';
import { RevocationView } from '../revocation/revocation-view';
import { Revocations } from '../revocation/revocations';
import { RevocationsStore } from '../revocation/revocations.store';
import { AccountStateCache } from '../revocation/account-state-cache';
import { RefreshLimit } from '../sessions/refresh-limit';
import { SessionSignIn } from '../sessions/session-sign-in';
import { SessionTokenIssuer } from '../sessions/session-token-issuer';
import { Sessions } from '../sessions/sessions';
import { SessionsStore } from '../sessions/sessions.store';
import { clockSources, StoreClock } from '../sessions/store-clock';
import { SignIn } from '../sign-in';
import { SignInLimits } from '../sign-in-limits';
import { SignInFactors } from '../sign-in-proofs';
import { SignInRecord } from '../sign-in-record';
import { SignInSequence } from '../sign-in-sequence';
import { SignUp } from '../sign-up';
import { SignUpLimit } from '../sign-up-limit';
import { TimeFloor } from '../time-floor';
import type { FactorsFactory } from './factors-factory';

/** Deadline in the hashing queue, so that a rejected sign-in is answered within a second (P15). */
const hashDeadlineMs = 800;

/** On two cores, and in each of several workers, one hash at a time: a core is left for other requests. */
const hashConcurrency = availableParallelism() > 2 && workerNumber() === undefined ? 2 : 1;

/** To one account, so that nobody who has its password can fill its mailbox. */
const newDeviceMailsPerHour = 5;

/** The providers of accounts; they need the {@link Database}. */
export function accountsProviders(
  options: AccountsOptions,
  mails: AccountMails,
  factors: FactorsFactory,
): FactoryProvider[] {
  return [
    ...tokenParts(options),
    from(Passwords, [], () => makePasswords(options)),
    from(AuditLog, [Database], (db) => new AuditLog(db, options.application)),
    from(AuditChain, [Database], (db) => new AuditChain(db)),
    from(ChainCheck, [Database, AuditChain], (...parts) => new ChainCheck(...parts)),
    from(
      Outbox,
      [Database],
      (db) => new Outbox(db, deriveKeys(options.secrets(), 'outbox'), options.mail.domain),
    ),
    from(MailWorker, [Outbox], (outbox) => new MailWorker(outbox, options.mail)),
    from(AccountsStore, [Database], (db) => new AccountsStore(db)),
    from(AttemptsStore, [Database], (db) => new AttemptsStore(db)),
    from(ApiKeys, [Database, AuditLog], (...parts) => new ApiKeys(...parts, options.verifiesEmails)),
    from(
      FamiliarAddresses,
      [Database, AccountsStore],
      (...parts) => new FamiliarAddresses(...parts, deriveKeys(options.secrets(), 'familiar addresses')),
    ),
    from(
      SignInLimits,
      [AttemptsStore, AuditLog, FamiliarAddresses],
      (...parts) => new SignInLimits(...parts, options.signIn),
    ),
    ...signInParts(options, factors),
    ...revocationParts(),
    from(SessionsStore, [Database], (db) => new SessionsStore(db)),
    from(StoreClock, [Database], (db) => new StoreClock(clockSources(db))),
    from(TimeFloor, [Database, StoreClock, AccessTokens], async (...parts) => {
      const floor = new TimeFloor(...parts);
      await floor.start();
      return floor;
    }),
    from(
      SessionTokenIssuer,
      [SessionsStore, AccessTokens, AuditLog, StoreClock],
      (...parts) =>
        new SessionTokenIssuer(...parts, new RefreshLimit(options.refreshesPerHour), options.sessionLifetime),
    ),
    from(SignIn, [SignInSequence, AccessTokens], (...parts) => new SignIn(...parts)),
    from(
      SessionSignIn,
      [SignInSequence, AccountsStore, SessionsStore, Revocations, SessionTokenIssuer],
      (...parts) => new SessionSignIn(...parts),
    ),
    from(
      Sessions,
      [SessionsStore, AccountsStore, Revocations, AuditLog, ApiKeys],
      (...parts) => new Sessions(...parts),
    ),
    from(
      SignUp,
      [Database, AccountsStore, Passwords, AttemptsStore, EmailVerification, AuditLog],
      (db, store, passwords, attempts, ...others) => {
        const limit = new SignUpLimit(new HourlyLimit(attempts, options.signUpsPerHour));
        return new SignUp(db, store, passwords, limit, ...others);
      },
    ),
    from(
      PasswordChange,
      [AccountsStore, SessionsStore, ApiKeys, AccountNotices, AuditLog],
      (...parts) => new PasswordChange(...parts),
    ),
    from(AccountNotices, [Outbox], (outbox) => new AccountNotices(outbox, mails)),
    from(
      Accounts,
      [AccountsStore, Passwords, PasswordChange, EmailChange, Revocations],
      (...parts) => new Accounts(...parts),
    ),
    ...passwordResetParts(options, mails),
    ...emailVerificationParts(options, mails),
    from(
      AccessCheck,
      [RevocationView, AccountStateCache],
      (...parts) => new AccessCheck(...parts, options.verifiesEmails),
    ),
    from(
      Administration,
      [Revocations, AccountsStore, SessionsStore, ApiKeys, AuditLog, Outbox, EmailLinksStore],
      (...parts) => new Administration(...parts),
    ),
    from(
      AccountExport,
      [AccountsStore, AuditLog, SessionsStore, ApiKeys, EmailLinksStore, Outbox],
      (accounts, audit, sessions, keys, links, outbox) =>
        addAccountParts(new AccountExport(accounts, audit), {
          accounts,
          sessions,
          keys,
          links,
          outbox,
          audit,
        }),
    ),
    from(FirstAdministrator, [Database, AccountsStore, Passwords, AuditLog], async (...parts) => {
      const first = new FirstAdministrator(...parts, options.firstAdministrator);
      await first.prepare();
      return first;
    }),
  ];
}

function tokenParts({ secrets, tokens, keyFile }: AccountsOptions): FactoryProvider[] {
  return [
    // After the database, which creates the directory of the secret file, or reports why it cannot.
    from(AccessTokens, [Database], async () => {
      const given = secrets();
      if (keyFile === undefined) return new AccessTokens({ ...tokens, ...given });
      return new AccessTokens({ ...tokens, keys: await loadOrCreateKeys(keyFile, given.secret) });
    }),
    from(TokenKeyFile, [AccessTokens], async (accessTokens) => {
      const file = new TokenKeyFile(accessTokens, keyFile?.path);
      await file.start();
      return file;
    }),
  ];
}

/** What a sign-in does until its tokens are issued. */
function signInParts(
  { tellsNewDevices }: AccountsOptions,
  { inject = [], useFactory }: FactorsFactory,
): FactoryProvider[] {
  return [
    {
      provide: SignInFactors,
      inject: [...inject],
      useFactory: async (...injected: never[]) => new SignInFactors(await useFactory(...injected)),
    },
    from(
      CredentialCheck,
      [AccountsStore, Passwords, SignInLimits, SignInFactors, AuditLog],
      (...parts) => new CredentialCheck(...parts),
    ),
    from(
      SignInRecord,
      [Database, AccountsStore, FamiliarAddresses, NewDevices, AccountNotices, AuditLog],
      (...parts) => new SignInRecord(...parts),
    ),
    from(NewDevices, [FamiliarAddresses, AttemptsStore], (familiar, attempts) => {
      const limit = tellsNewDevices ? new HourlyLimit(attempts, newDeviceMailsPerHour) : undefined;
      return new NewDevices(familiar, limit);
    }),
    from(SignInSequence, [CredentialCheck, SignInRecord], (...parts) => new SignInSequence(...parts)),
  ];
}

function passwordResetParts(
  { resetsPerHour, appUrl }: AccountsOptions,
  mails: AccountMails,
): FactoryProvider[] {
  return [
    from(ResetMails, [Outbox], (outbox) => new ResetMails(outbox, mails, appUrl)),
    from(
      PasswordResets,
      [Database, AccountsStore, ResetMails, AuditLog, AttemptsStore],
      (db, store, resetMails, audit, attempts) =>
        new PasswordResets(db, store, resetMails, audit, {
          perAddress: new HourlyLimit(attempts, resetsPerHour.ofAddress),
          perAccount: new HourlyLimit(attempts, resetsPerHour.ofAccount),
        }),
    ),
    from(
      AccessEnd,
      [AccountsStore, SessionsStore, ApiKeys, SignInLimits, AuditLog],
      (...parts) => new AccessEnd(...parts),
    ),
    from(
      ResetCompletion,
      [AccountsStore, Passwords, Revocations, AccessEnd, ResetMails],
      (...parts) => new ResetCompletion(...parts),
    ),
  ];
}

function emailVerificationParts(
  { verifiesEmails, emailLinksPerHour, appUrl }: AccountsOptions,
  mails: AccountMails,
): FactoryProvider[] {
  return [
    from(EmailLinksStore, [Database], (db) => new EmailLinksStore(db)),
    from(EmailMails, [EmailLinksStore, Outbox], (...parts) => new EmailMails(...parts, mails, appUrl)),
    from(
      EmailVerification,
      [EmailLinksStore, EmailMails, AttemptsStore],
      (links, emailMails, attempts) =>
        new EmailVerification(
          verifiesEmails,
          links,
          emailMails,
          new HourlyLimit(attempts, emailLinksPerHour),
        ),
    ),
    from(
      EmailChange,
      [AccountsStore, EmailLinksStore, EmailVerification, AuditLog],
      (...parts) => new EmailChange(...parts),
    ),
    from(
      EmailConfirmation,
      [Database, AccountsStore, EmailLinksStore, EmailVerification, EmailMails, Revocations, AuditLog],
      (...parts) => new EmailConfirmation(...parts),
    ),
    from(
      EmailUndo,
      [AccountsStore, EmailLinksStore, Passwords, Revocations, AccessEnd, ResetMails],
      (...parts) => new EmailUndo(...parts),
    ),
  ];
}

function revocationParts(): FactoryProvider[] {
  return [
    from(AccountStateCache, [AccountsStore], (store) => new AccountStateCache((id) => store.stateOf(id))),
    from(
      RevocationView,
      [AccountStateCache, AccessTokens],
      (accountStates, { ttlSeconds }) => new RevocationView(accountStates, ttlSeconds),
    ),
    from(RevocationsStore, [Database], (db) => new RevocationsStore(db)),
    from(Revocations, [Database, RevocationsStore, RevocationView], (...parts) => new Revocations(...parts)),
    from(RevocationFeed, [Database, RevocationView, AccountStateCache], async (...parts) => {
      const feed = new RevocationFeed(...parts);
      await feed.start();
      return feed;
    }),
  ];
}

type Instances<Classes extends readonly Type[]> = {
  [Index in keyof Classes]: InstanceType<Classes[Index]>;
};

/** A factory provider whose `inject` and parameters are type-checked. */
function from<Made, const Classes extends readonly Type[]>(
  provide: abstract new (...parts: never[]) => Made,
  inject: Classes,
  make: (...parts: Instances<Classes>) => Made | Promise<Made>,
): FactoryProvider {
  return { provide, inject: [...inject], useFactory: make };
}

async function makePasswords({ rejectsCommonPasswords }: AccountsOptions): Promise<Passwords> {
  if (!isArgon2idNative)
    new Logger('Passwords').warn(
      'no binary of argon2 for this system: Node hashes passwords, for 2.6 times the CPU time',
    );
  const isCommon = rejectsCommonPasswords ? await loadCommonPasswords() : undefined;
  return new Passwords({ deadlineMs: hashDeadlineMs, concurrency: hashConcurrency, isCommon });
}
