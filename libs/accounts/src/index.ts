export { AccessCheck, type SignedInUser } from './access-check';
export { Accounts } from './accounts';
export { AccountsStore, type UserRow } from './accounts.store';
export { Administration } from './administration';
export { runAdminResetCommand } from './administrator-reset/admin-reset-command';
export { AdministratorReset } from './administrator-reset/administrator-reset';
export { type ApiKeyCaller, ApiKeys, listedKey } from './api-keys';
export { ApiKey } from './api-keys.dto';
export { runAuditCheckCommand } from './audit/audit-check-command';
export { ChainCheck } from './audit/chain-check';
export { exportAudit } from './audit/audit-export';
export { addressSubject } from './attempt-subjects';
export { type AuditKind, auditKinds, AuditLog } from './audit-log';
export { accountsChannels } from './channels';
export {
  AccountDisabledError,
  EmailTakenError,
  LastAdministratorError,
  RevocationsUnknownError,
  TooManyEmailLinksError,
  TooManyKeysError,
  TooManySignUpsError,
} from './errors';
export { AccountExport } from './export/account-export';
export { FirstAdministrator } from './first-administrator';
export { PasswordResets } from './password-reset/password-resets';
export { ResetCompletion } from './password-reset/reset-completion';
export { EndSessionsQuery, tellActiveKeys } from './sessions/end-sessions';
export { RevocationFeed } from './revocation/revocation-feed';
export { givenKeyFile } from './given-key-file';
export { Session } from './sessions/sessions.dto';
export { Sessions } from './sessions/sessions';
export { SessionsStore } from './sessions/sessions.store';
export { StoreClock } from './sessions/store-clock';
export { Retentions } from './retentions';
export { Housekeeping } from './nest/housekeeping';
export { SweepLease } from './sweep-lease';
export { exportPart } from './nest/export-part';
export { AccountsModule } from './nest/accounts.module';
export { accountsOptions } from './options';
export { accountsSettings } from './settings';
export type { SignInOrigin } from './sign-in-origin';
export type { FactorResult, SignInFactor } from './sign-in-proofs';
export { type Credentials, SignUp } from './sign-up';
export { NamedUserCreate, User, UserDto } from './users.dto';
