export { type Actor, recordOf } from './access/actor';
export { type ActingCaller, checkStillSignedIn } from './access/sign-in-check';
export { AccessCheck, type SignedInUser } from './access/access-check';
export type { LinkedAccount } from './access/sid';
export { Accounts } from './accounts';
export { accountsSchema } from './schema.providers';
export type { AccountHooks, HookedAccount, PluginHooks } from './account/account-hooks';
export type { AccountRow } from './account/account.table';
export {
  type Admission,
  SignUpAdmission,
  type SignUpInvitations,
  type SignUpRequest,
} from './account/sign-up-admission';
export { mapEmailConflict } from './account/email-conflict';
export { AccountsStore, placeholderEnd, type UserRow } from './account/accounts.store';
export { Administration } from './administrators/administration';
export { AdministratorReset } from './administrators/administrator-reset';
export { type ApiKeyCaller, ApiKeys, listedKey } from './api-keys/api-keys';
export { ApiKey } from './api-keys/api-keys.dto';
export { ChainCheck } from './audit/chain-check';
export { exportAudit } from './audit/audit-export';
export { addressSubject, mailSubject } from './limits/attempt-subjects';
export { lifetimes, Mailer, nobody } from './mails/mailer';
export { makeOneTimeSecret } from './one-time-secret';
export { isOwnSecret } from './own-secret';
export { SignInLimits } from './sign-in/sign-in-limits';
export type { AuditEventRow } from './audit/audit-event.table';
export {
  type AuditKind,
  auditKinds,
  AuditLog,
  type OwnAuditKinds,
  registerAuditKinds,
} from './audit/audit-log';
export { accountsChannels, type SignInOutcome } from './channels';
export {
  AccountDisabledError,
  CurrentPasswordError,
  EmailConflictError,
  IdentityConflictError,
  InvalidResetTokenError,
  LastAdministratorError,
  MfaRequiredError,
  ProfileConflictError,
  RevocationsUnavailableError,
  TooManyAttemptsError,
  TooManyEmailLinksError,
  TooManyApiKeysError,
  TooManySignUpsError,
  UntrustedPageError,
} from './errors';
export { AccountExport } from './export/account-export';
export { FirstAdministrator } from './administrators/first-administrator';
export { PasswordChange } from './passwords/password-change';
export { PasswordResets } from './passwords/password-resets';
export { ResetCompletion } from './passwords/reset-completion';
export { RevokeSessionsQuery, sendActiveKeys } from './sessions/revoke-sessions';
export { type MembershipFollower, RevocationCache } from './revocation/revocation-cache';
export { type Revoke, Revocations } from './revocation/revocations';
export { RevocationFeed } from './revocation/revocation-feed';
export { IsTransport, SessionTransport, type Transport } from './sessions/session-transport';
export { MfaRequired, Session, SessionTokens } from './sessions/sessions.dto';
export { SessionSignIn } from './sessions/session-sign-in';
export { Profiles } from './profiles/profiles';
export { UserViews } from './account/user-views';
export { EmailVerification } from './email-addresses/email-verification';
export { Login } from './password-sign-in/login';
export { PasswordCheck } from './password-sign-in/password-check';
export { type ProveFirst, SignInSequence } from './sign-in/sign-in-sequence';
export type { MfaToken } from './sessions/session-sign-in';
export type { TokenPair } from './sessions/session-token-issuer';
export { PendingSignIns } from './sign-in/pending-sign-ins';
export { Challenges } from './sign-in/challenges';
export type { SignIn } from './sign-in/sign-in';
export { Sessions } from './sessions/sessions';
export { SessionsStore } from './sessions/sessions.store';
export { accounts, type AccountsPluginOptions } from './accounts.plugin';
export { type ExportProvider, exportPart } from './export/export-part.providers';
export { AccountsOptions, keyFiles } from './options';
export { type Client, clientOf } from './devices/client';
export type { EnrolledFactor, FactorProof, ProvenFactor, SignInFactor } from './sign-in/sign-in-factor';
export { UnlistedFactorError } from './factors/errors';
export { FactorEnrolments } from './factors/factor-enrolments';
export { MailTokens } from './mails/mail-token';
export { SignInFactors } from './sign-in/sign-in-factors';
export { Enrolments } from './factors/enrolments';
export { accountsSettings } from './settings';
export { factorKinds } from './sign-in.providers';
export type { FactorDeclaration } from './factors/factor-declaration.providers';
export { SignInServices } from './factors/sign-in-services';
export { Limiter } from './limits/limiter';
export type { TokenIssuers, TokenIssuerServices } from './identities/token-issuers';
export { identityAccess, TrustedIdentitiesStore } from './identities/trusted-identities.store';
export { emailKey } from './email-key';
export { type Credentials, SignUp } from './sign-up';
export { NamedUserCreate } from './account/users.dto';
export { operatorControllers } from './operators/operator-users.controller';
export { type UserClasses } from './account/user-classes';
export { ExportController } from './export/export.controller';
export { apiKeysController } from './api-keys/api-keys.controller';
export { signUpController, userControllers, usersController } from './users.controller';
