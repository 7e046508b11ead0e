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
import { mailOptions, MailWorker, Outbox } from '@app/mail';
import { Database, DatabaseClock } from '@app/persistence';
import { workerNumber } from '@app/settings';
import { Logger, type Provider } from '@nestjs/common';
import { AccessCheck } from './access/access-check';
import { AccountsStore } from './account/accounts.store';
import { UserViews } from './account/user-views';
import { Accounts } from './accounts';
import { ApiKeys } from './api-keys/api-keys';
import { AuditChain } from './audit/audit-chain';
import { AuditLog } from './audit/audit-log';
import { ChainCheck } from './audit/chain-check';
import { RefusedAccessLog } from './audit/refused-access';
import { KnownDevices } from './devices/known-devices';
import { NewDevices } from './devices/new-devices';
import { EmailChange } from './email-addresses/email-change';
import { EmailConfirmation } from './email-addresses/email-confirmation';
import { EmailUndo } from './email-addresses/email-undo';
import { EmailVerification } from './email-addresses/email-verification';
import { FactorEnrolments } from './factors/factor-enrolments';
import { TrustedIdentitiesStore } from './identities/trusted-identities.store';
import { AccountExport } from './export/account-export';
import { addAccountParts } from './export/account-parts';
import { SignInFactors } from './sign-in/sign-in-factors';
import { SignInServices } from './factors/sign-in-services';
import { AttemptsStore } from './limits/attempts.store';
import { EmailLinksStore } from './account/email-links.store';
import { MailTokens } from './mails/mail-token';
import { Mailer } from './mails/mailer';
import { Administration } from './administrators/administration';
import { FirstAdministrator } from './administrators/first-administrator';
import { FirstCredentials } from './administrators/first-credentials';
import { AccountsOptions, keyFileOf } from './options';
import { AccessRevocation } from './passwords/access-revocation';
import { CurrentPassword } from './passwords/current-password';
import { PasswordChange } from './passwords/password-change';
import { PasswordResets } from './passwords/password-resets';
import { ResetCompletion } from './passwords/reset-completion';
import { Profiles } from './profiles/profiles';
import { RevocationCache } from './revocation/revocation-cache';
import { RevocationFeed } from './revocation/revocation-feed';
import { Revocations } from './revocation/revocations';
import { SessionSignIn } from './sessions/session-sign-in';
import { SessionTokenIssuer } from './sessions/session-token-issuer';
import { SessionTransport } from './sessions/session-transport';
import { Sessions } from './sessions/sessions';
import { SessionsStore } from './sessions/sessions.store';
import { PendingSignIns } from './sign-in/pending-sign-ins';
import { SignInAccounts } from './sign-in/sign-in-accounts';
import { SignInLimits } from './sign-in/sign-in-limits';
import { SignInRecord } from './sign-in/sign-in-record';
import { FirstProofs, SignInSequence } from './sign-in/sign-in-sequence';
import { SignUp } from './sign-up';

/** The account providers, which need the {@link Database} and {@link AccountsOptions}. */
export const accountsProviders: readonly Provider[] = [
  AccessCheck,
  AccessRevocation,
  Accounts,
  AccountsStore,
  Administration,
  ApiKeys,
  AttemptsStore,
  AuditChain,
  AuditLog,
  CurrentPassword,
  EmailChange,
  EmailConfirmation,
  EmailLinksStore,
  EmailUndo,
  EmailVerification,
  FactorEnrolments,
  FirstAdministrator,
  FirstCredentials,
  KnownDevices,
  Mailer,
  MailTokens,
  NewDevices,
  PasswordChange,
  PasswordResets,
  PendingSignIns,
  Profiles,
  ResetCompletion,
  Revocations,
  Sessions,
  SessionSignIn,
  SessionsStore,
  SessionTokenIssuer,
  SessionTransport,
  SignInAccounts,
  SignInLimits,
  SignInRecord,
  SignInSequence,
  SignInServices,
  SignUp,
  TrustedIdentitiesStore,
  UserViews,
  { provide: FirstProofs, useExisting: AccessRevocation },
  { provide: Passwords, inject: [AccountsOptions], useFactory: makePasswords },
  // After the database, which creates the directory of the secret file, or reports why it cannot.
  { provide: AccessTokens, inject: [AccountsOptions, Database], useFactory: makeAccessTokens },
  { provide: TokenKeyFile, inject: [AccountsOptions, AccessTokens], useFactory: openKeyFile },
  {
    provide: DatabaseClock,
    inject: [Database],
    useFactory: (db: Database) => new DatabaseClock(db),
  },
  {
    provide: Outbox,
    inject: [AccountsOptions, Database],
    useFactory: ({ settings, secrets }: AccountsOptions, db: Database) =>
      new Outbox(db, deriveKeys(secrets(), 'outbox'), mailOptions(settings).domain),
  },
  {
    provide: MailWorker,
    inject: [AccountsOptions, Outbox],
    useFactory: ({ settings }: AccountsOptions, outbox: Outbox) =>
      new MailWorker(outbox, mailOptions(settings)),
  },
  {
    provide: ChainCheck,
    inject: [AccountsOptions, Database, AuditChain],
    useFactory: ({ settings }: AccountsOptions, db: Database, chain: AuditChain) =>
      new ChainCheck(db, chain, settings.AUDIT_RETENTION * 1000),
  },
  { provide: RefusedAccessLog, inject: [AuditLog], useFactory: startRefusedAccessLog },
  {
    provide: RevocationCache,
    inject: [AccountsOptions, AccountsStore, SignInFactors, TrustedIdentitiesStore],
    useFactory: makeRevocationCache,
  },
  {
    provide: RevocationFeed,
    inject: [Database, RevocationCache],
    useFactory: (db: Database, cache: RevocationCache) => new RevocationFeed(db.openAnother(), cache),
  },
  {
    provide: AccountExport,
    inject: [
      AccountsStore,
      AuditLog,
      Profiles,
      SessionsStore,
      ApiKeys,
      EmailLinksStore,
      Outbox,
      TrustedIdentitiesStore,
    ],
    useFactory: makeExport,
  },
];

/** The deadline in the hashing queue, so that a rejected sign-in has its response within a second (P15). */
const hashDeadlineMs = 800;

async function makePasswords({ application, appUrl, settings }: AccountsOptions): Promise<Passwords> {
  const { PASSWORD_LIST, PASSWORD_RANGE_URL: url, NODE_ENV } = settings;
  const logger = new Logger('Passwords');
  if (PASSWORD_LIST === 'off' && NODE_ENV === 'production')
    logger.warn('common passwords are accepted: PASSWORD_LIST=common is recommended in production');
  if (!isArgon2idNative)
    logger.warn(
      'argon2 binary unavailable, falling back to Node: hashing passwords takes 2.6 times the CPU time',
    );
  const rejectsCommon = PASSWORD_LIST === 'common';
  const onFailure = (error: unknown) =>
    logger.warn(`breached passwords unavailable, accepted unchecked: ${String(error)}`);
  return new Passwords({
    deadlineMs: hashDeadlineMs,
    // On two cores, and in each of several workers, hash a single password at a time to leave a core for other requests.
    concurrency: availableParallelism() > 2 && workerNumber() === undefined ? 2 : 1,
    isCommon: rejectsCommon ? await loadCommonPasswords() : undefined,
    isBreached: url === undefined ? undefined : breachedPasswords({ url, onFailure }),
    productNames: rejectsCommon ? [application, new URL(appUrl).hostname] : undefined,
  });
}

/** The lifetime above which access tokens are reported at start. */
const usualTokenSeconds = 86_400;

async function makeAccessTokens(options: AccountsOptions): Promise<AccessTokens> {
  const { ACCESS_TOKEN_TTL: ttlSeconds, API_URL: issuer = 'sluice' } = options.settings;
  const secrets = options.secrets();
  if (ttlSeconds > usualTokenSeconds)
    new Logger('AccessTokens').warn(
      `access tokens are valid for ${ttlSeconds} s: a stolen one is accepted until its session is revoked, and revocations and retired keys are needed for as long; ACCESS_TOKEN_TTL=1d or less is recommended`,
    );
  const rules = { ttlSeconds, issuer, audience: options.application };
  const keyFile = keyFileOf(options.settings);
  if (keyFile === undefined) return new AccessTokens({ ...rules, ...secrets });
  return new AccessTokens({ ...rules, keys: await loadOrCreateKeys(keyFile, secrets.secret) });
}

async function openKeyFile({ settings }: AccountsOptions, tokens: AccessTokens): Promise<TokenKeyFile> {
  const file = new TokenKeyFile(tokens, keyFileOf(settings)?.path);
  await file.start();
  return file;
}

function startRefusedAccessLog(audit: AuditLog): RefusedAccessLog {
  const logger = new Logger('RefusedAccessLog');
  const log = new RefusedAccessLog(audit, (error) =>
    logger.warn(`refused access not recorded: ${String(error)}`),
  );
  log.start();
  return log;
}

function makeRevocationCache(
  options: AccountsOptions,
  store: AccountsStore,
  factors: SignInFactors,
  identities: TrustedIdentitiesStore,
): RevocationCache {
  const { ACCESS_TOKEN_TTL: ttlSeconds } = options.settings;
  const load = async (id: number) => {
    const state = await store.stateOf(id);
    if (state === undefined || options.issuers === undefined) return state;
    const hasSecondFactor = await factors.hasSecond(id);
    return { ...state, forIssuers: { hasSecondFactor, identities: await identities.linkedTo(id) } };
  };
  return new RevocationCache(load, { ttlSeconds, longestSeconds: options.longestTokenSeconds() });
}

function makeExport(
  accounts: AccountsStore,
  audit: AuditLog,
  profiles: Profiles,
  sessions: SessionsStore,
  keys: ApiKeys,
  links: EmailLinksStore,
  outbox: Outbox,
  identities: TrustedIdentitiesStore,
): AccountExport {
  const sources = { sessions, keys, links, outbox, audit, profiles, identities };
  return addAccountParts(new AccountExport(accounts, audit), sources);
}
