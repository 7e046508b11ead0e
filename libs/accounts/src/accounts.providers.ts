import { availableParallelism } from 'node:os';
import {
  AccessTokens,
  breachedPasswords,
  deriveKeys,
  isArgon2idNative,
  loadCommonPasswords,
  loadOrCreateKeys,
  Passwords,
  TokenKeyFile,
} from '@app/auth';
import { MailWorker, Outbox } from '@app/mail';
import { Database, DatabaseSchemas, DatabaseClock } from '@app/persistence';
import { workerNumber } from '@app/settings';
import type { Rate } from '@app/settings';
import { type FactoryProvider, Logger } from '@nestjs/common';
import { AccessCheck } from './access/access-check';
import { Accounts } from './accounts';
import { AccountRoles } from './account/account-roles';
import { AccountsStore } from './account/accounts.store';
import { UserViews } from './account/user-views';
import { Administration } from './operator/administration';
import { ApiKeys } from './api-keys/api-keys';
import { AttemptsStore } from './limits/attempts.store';
import { AuditChain } from './audit/audit-chain';
import { ChainCheck } from './audit/chain-check';
import { AuditLog } from './audit/audit-log';
import { RefusedAccessLog } from './audit/refused-access';
import { EmailChange } from './emails/email-change';
import { EmailConfirmation } from './emails/email-confirmation';
import { EmailLinksStore } from './links/email-links.store';
import { MailTokens } from './links/mail-token';
import { EmailUndo } from './emails/email-undo';
import { EmailVerification } from './emails/email-verification';
import { AccountExport } from './export/account-export';
import { addAccountParts } from './export/account-parts';
import { addProfilePart } from './export/profile-part';
import type { ProfileShape } from './profiles/profile-shape';
import { Profiles } from './profiles/profiles';
import { KnownDevices } from './devices/known-devices';
import { FirstAdministrator } from './operator/first-administrator';
import { FirstCredentials } from './operator/first-credentials';
import { Limiter } from './limits/limiter';
import type { AccountMails } from './mails/account-mails';
import { Mailer } from './mails/mailer';
import { type AccountsOptions, longestTokenSeconds } from './options';
import { construct, from } from './provide.providers';
import { NewDevices } from './devices/new-devices';
import { CurrentPassword } from './passwords/current-password';
import { PasswordChange } from './passwords/password-change';
import { AccessRevocation } from './passwords/access-revocation';
import { PasswordResets } from './passwords/password-resets';
import { ResetCompletion } from './passwords/reset-completion';
import { RevocationFeed } from './revocation/revocation-feed';
import { RevocationCache } from './revocation/revocation-cache';
import { Revocations } from './revocation/revocations';
import { RevocationsStore } from './revocation/revocations.store';
import { SessionSignIn } from './sessions/session-sign-in';
import { SessionTokenIssuer } from './sessions/session-token-issuer';
import { Sessions } from './sessions/sessions';
import { SessionsStore } from './sessions/sessions.store';
import { SignInLimits } from './sign-in/sign-in-limits';
import { PendingSignIns } from './sign-in/pending-sign-ins';
import { PendingSignInsStore } from './sign-in/pending-sign-ins.store';
import { Enrolments } from './enrolments/enrolments';
import { FactorEnrolments } from './enrolments/factor-enrolments';
import { SignInFactors } from './factors/sign-in-factors';
import { SignInAccounts } from './sign-in/sign-in-accounts';
import { SignInRecord } from './sign-in/sign-in-record';
import { SignInSequence } from './sign-in/sign-in-sequence';
import { SignUp } from './sign-up';
import { TrustedIdentitiesStore } from './trusted-issuers/trusted-identities.store';

/** Deadline in the hashing queue, so that a rejected sign-in has its response within a second (P15). */
const hashDeadlineMs = 800;

/** On two cores, and in each of several workers, one hash at a time: a core is left for other requests. */
const hashConcurrency = availableParallelism() > 2 && workerNumber() === undefined ? 2 : 1;

/** Of a kind to one e-mail, so that nobody who has a password can fill a mailbox. */
const notices: Rate = { limit: 5, windowSeconds: 3600 };

/** What an application adds to users. */
export interface UserParts {
  readonly roles: AccountRoles;
  readonly profile: ProfileShape | undefined;
}

/** The providers of accounts; they need the {@link Database}. */
export function accountsProviders(
  options: AccountsOptions,
  mails: AccountMails,
  { roles, profile }: UserParts,
): FactoryProvider[] {
  return [
    ...tokenParts(options),
    from(Passwords, [], () => makePasswords(options)),
    from(AuditLog, [Database], (db) => new AuditLog(db, options.application)),
    from(RefusedAccessLog, [AuditLog], (audit) => {
      const logger = new Logger('RefusedAccessLog');
      const log = new RefusedAccessLog(audit, (error) =>
        logger.warn(`refused access not recorded: ${String(error)}`),
      );
      log.start();
      return log;
    }),
    construct(AuditChain, [Database]),
    from(
      ChainCheck,
      [Database, AuditChain],
      (...parts) => new ChainCheck(...parts, options.auditSeconds * 1000),
    ),
    from(
      Outbox,
      [Database],
      (db) => new Outbox(db, deriveKeys(options.secrets(), 'outbox'), options.mail.domain),
    ),
    from(MailWorker, [Outbox], (outbox) => new MailWorker(outbox, options.mail)),
    construct(AccountsStore, [Database]),
    construct(AttemptsStore, [Database]),
    from(AccountRoles, [], () => roles),
    construct(UserViews, [AccountRoles, Profiles]),
    profilesProvider(profile),
    from(ApiKeys, [Database, AuditLog], (...parts) => new ApiKeys(...parts, options.verifiesEmails, roles)),
    from(
      KnownDevices,
      [Database, AccountsStore],
      (...parts) => new KnownDevices(...parts, deriveKeys(options.secrets(), 'known devices')),
    ),
    from(
      SignInLimits,
      [AttemptsStore, AuditLog, KnownDevices],
      (...parts) => new SignInLimits(...parts, options.signIn),
    ),
    ...signInParts(options),
    ...revocationParts(options),
    construct(TrustedIdentitiesStore, [Database, AccountsStore, AuditLog]),
    construct(SessionsStore, [Database]),
    construct(DatabaseClock, [Database]),
    from(
      SessionTokenIssuer,
      [SessionsStore, AccessTokens, AuditLog, DatabaseClock],
      (...parts) =>
        new SessionTokenIssuer(
          ...parts,
          options.refreshes === false ? undefined : new Limiter(options.refreshes),
          options.sessionLifetime,
        ),
    ),
    construct(SessionSignIn, [
      SignInSequence,
      PendingSignIns,
      AccountsStore,
      SessionsStore,
      Revocations,
      SessionTokenIssuer,
    ]),
    construct(Sessions, [SessionsStore, AccountsStore, Revocations, AuditLog, ApiKeys]),
    from(
      SignUp,
      [Database, AccountsStore, Passwords, AttemptsStore, EmailVerification, AuditLog, Profiles],
      (db, store, passwords, attempts, ...others) =>
        new SignUp(db, store, passwords, new Limiter(options.signUps, attempts), ...others),
    ),
    from(
      CurrentPassword,
      [AccountsStore, Passwords, SignInLimits],
      (...parts) => new CurrentPassword(...parts, options.requiresCurrentPassword),
    ),
    construct(PasswordChange, [AccountsStore, SessionsStore, ApiKeys, Enrolments, Mailer, AuditLog]),
    from(
      Mailer,
      [Outbox, AttemptsStore, EmailLinksStore],
      (outbox, attempts, links) =>
        new Mailer(outbox, mails, new Limiter(notices, attempts), links, options.appUrl),
    ),
    construct(Accounts, [
      AccountsStore,
      Passwords,
      CurrentPassword,
      PasswordChange,
      EmailChange,
      Revocations,
      Profiles,
      FirstCredentials,
    ]),
    from(FirstCredentials, [], () => new FirstCredentials(options.firstAdministrator.folder)),
    ...passwordResetParts(options),
    ...emailVerificationParts(options),
    from(AccessCheck, [RevocationCache], (cache) => new AccessCheck(cache, options.verifiesEmails, roles)),
    construct(Administration, [Revocations, AccountsStore, SessionsStore, ApiKeys, AuditLog, Outbox]),
    from(
      AccountExport,
      [AccountsStore, AuditLog, SessionsStore, ApiKeys, EmailLinksStore, Outbox, Profiles],
      (accounts, audit, sessions, keys, links, outbox, profiles) =>
        addAccountParts(addProfilePart(new AccountExport(accounts, audit), profiles), {
          sessions,
          keys,
          links,
          outbox,
          audit,
        }),
    ),
    from(
      FirstAdministrator,
      [Database, AccountsStore, Passwords, AuditLog],
      (...parts) => new FirstAdministrator(...parts, options.firstAdministrator),
    ),
  ];
}

function profilesProvider(profile: ProfileShape | undefined): FactoryProvider {
  return {
    provide: Profiles,
    inject: [Database, AuditLog, DatabaseSchemas],
    useFactory: (db: Database, audit: AuditLog, schemas: DatabaseSchemas) =>
      new Profiles(db, audit, profile, schemas.tables),
  };
}

/** Access tokens that live longer are reported at start. */
const usualTokenSeconds = 86_400;

function tokenParts({ secrets, tokens, keyFile }: AccountsOptions): FactoryProvider[] {
  return [
    // After the database, which creates the directory of the secret file, or reports why it cannot.
    from(AccessTokens, [Database], async () => {
      const given = secrets();
      if (tokens.ttlSeconds > usualTokenSeconds)
        new Logger('AccessTokens').warn(
          `access tokens are valid for ${tokens.ttlSeconds} s: a stolen one is accepted until its session is revoked, and revocations and retired keys are needed for as long; ACCESS_TOKEN_TTL=1d or less is recommended`,
        );
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
function signInParts({ application, notifiesOfNewDevices }: AccountsOptions): FactoryProvider[] {
  return [
    construct(SignInAccounts, [Database, SignInFactors]),
    construct(SignInRecord, [AccountsStore, SignInFactors, NewDevices, Mailer, Revocations, AuditLog]),
    from(NewDevices, [KnownDevices, AttemptsStore], (knownDevices, attempts) => {
      const limit = notifiesOfNewDevices ? new Limiter(notices, attempts) : undefined;
      return new NewDevices(knownDevices, limit);
    }),
    from(
      SignInSequence,
      [Database, SignInFactors, SignInLimits, SignInRecord, AccessRevocation],
      (db, factors, limits, record, revocation) =>
        new SignInSequence(db, factors, limits, record, (...proven) =>
          revocation.recordFirstProof(...proven),
        ),
    ),
    construct(PendingSignInsStore, [Database]),
    from(
      PendingSignIns,
      [PendingSignInsStore, SignInAccounts],
      (...parts) => new PendingSignIns(...parts, application),
    ),
    from(
      FactorEnrolments,
      [Database, SignInFactors, AccountsStore, SessionsStore, Revocations, Mailer, AuditLog],
      (db, factors, accounts, sessions, revocations, mailer, audit) =>
        new FactorEnrolments({
          db,
          factors,
          accounts,
          sessions,
          revocations,
          mailer,
          audit,
        }),
    ),
  ];
}

function passwordResetParts({ resets }: AccountsOptions): FactoryProvider[] {
  return [
    from(
      PasswordResets,
      [Database, AccountsStore, Mailer, AuditLog, AttemptsStore, MailTokens],
      (db, store, mailer, audit, attempts, tokens) => {
        const perAddress = new Limiter(resets.ofAddress, attempts);
        const perAccount = new Limiter(resets.ofAccount, attempts);
        return new PasswordResets(db, store, mailer, audit, { perAddress, perAccount }, tokens);
      },
    ),
    from(
      AccessRevocation,
      [AccountsStore, SessionsStore, ApiKeys, Enrolments, SignInLimits, AuditLog, Revocations, Mailer],
      (store, sessions, keys, enrolments, limits, audit, revocations, mailer) =>
        new AccessRevocation({
          store,
          sessions,
          keys,
          enrolments,
          limits,
          audit,
          revocations,
          mailer,
        }),
    ),
    construct(ResetCompletion, [AccountsStore, Passwords, Revocations, AccessRevocation, Mailer, MailTokens]),
  ];
}

function emailVerificationParts({
  application,
  verifiesEmails,
  emailLinks,
}: AccountsOptions): FactoryProvider[] {
  return [
    construct(EmailLinksStore, [Database]),
    from(MailTokens, [], () => new MailTokens(application)),
    from(
      EmailVerification,
      [EmailLinksStore, MailTokens, Mailer, AttemptsStore],
      (links, tokens, mailer, attempts) => {
        const perAccount = new Limiter(emailLinks, attempts);
        const perEmail = new Limiter(emailLinks, attempts);
        return new EmailVerification(verifiesEmails, { links, tokens, mailer, perAccount, perEmail });
      },
    ),
    construct(EmailChange, [AccountsStore, EmailLinksStore, EmailVerification, AuditLog]),
    construct(EmailConfirmation, [
      Database,
      AccountsStore,
      EmailLinksStore,
      EmailVerification,
      Revocations,
      AuditLog,
      MailTokens,
    ]),
    construct(EmailUndo, [
      AccountsStore,
      EmailLinksStore,
      Passwords,
      Revocations,
      AccessRevocation,
      Mailer,
      MailTokens,
    ]),
  ];
}

function revocationParts(options: AccountsOptions): FactoryProvider[] {
  return [
    from(
      RevocationCache,
      [AccountsStore, SignInFactors, TrustedIdentitiesStore, AccessTokens],
      (store, factors, linked, { ttlSeconds }) => {
        const forIssuers = async (id: number) => ({
          hasSecondFactor: await factors.hasSecond(id),
          identities: await linked.linkedTo(id),
        });
        const load = async (id: number) => {
          const state = await store.stateOf(id);
          if (state === undefined || options.trustedIssuers === undefined) return state;
          return { ...state, forIssuers: await forIssuers(id) };
        };
        const longestSeconds = Math.max(ttlSeconds, longestTokenSeconds(options));
        return new RevocationCache(load, { ttlSeconds, longestSeconds });
      },
    ),
    construct(RevocationsStore, [Database]),
    construct(Revocations, [Database, RevocationsStore, RevocationCache]),
    construct(RevocationFeed, [Database, RevocationCache]),
  ];
}

async function makePasswords(options: AccountsOptions): Promise<Passwords> {
  const { application, appUrl, rejectsCommonPasswords, recommendsPasswordList, passwordRangeUrl } = options;
  const logger = new Logger('Passwords');
  if (recommendsPasswordList === true)
    logger.warn('common passwords are accepted: PASSWORD_LIST=common is recommended in production');
  if (!isArgon2idNative)
    logger.warn(
      'argon2 binary unavailable, falling back to Node: hashing passwords takes 2.6 times the CPU time',
    );
  const isCommon = rejectsCommonPasswords ? await loadCommonPasswords() : undefined;
  const isBreached =
    passwordRangeUrl === undefined
      ? undefined
      : breachedPasswords({
          url: passwordRangeUrl,
          onFailure: (error) =>
            logger.warn(`breached passwords unavailable, accepted unchecked: ${String(error)}`),
        });
  return new Passwords({
    deadlineMs: hashDeadlineMs,
    concurrency: hashConcurrency,
    isCommon,
    isBreached,
    productNames: rejectsCommonPasswords ? [application, new URL(appUrl).hostname] : undefined,
  });
}
