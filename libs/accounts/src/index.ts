export { Accounts, type Credentials, type CredentialsChange, type SignedInUser } from './accounts';
export { AccountsStore } from './accounts.store';
export { Administration, type Operator, type AccountStateChange } from './administration';
export { type ApiKeyCaller, ApiKeys, type MadeApiKey } from './api-keys';
export type { SignInRules } from './attempt-policy';
export { type AuditEvent, type AuditFilter, type AuditKind, auditKinds, AuditLog } from './audit-log';
export { CredentialCheck } from './credential-check';
export {
  AccountDisabledError,
  EmailTakenError,
  LastAdministratorError,
  TooManyAttemptsError,
  TooManyKeysError,
} from './errors';
export {
  FirstAdministrator,
  type FirstAdministratorOptions,
  type MadeAdministrator,
} from './first-administrator';
export { RevocationFeed } from './revocation/revocation-feed';
export { RevocationView } from './revocation/revocation-view';
export { Revocations } from './revocation/revocations';
export { Session } from './sessions/sessions.dto';
export { Sessions, type TokenPair } from './sessions/sessions';
export { SessionsStore } from './sessions/sessions.store';
export { StoreClock } from './sessions/store-clock';
export { AccountsModule } from './nest/accounts.module';
export { SignInController } from './nest/sign-in.controller';
export { accountsOptions, type AccountsEnvironment, type AccountsOptions } from './options';
export { accountsSettings } from './settings';
export { SignInLimits } from './sign-in-limits';
export { LoginRequest, LoginResponse, Profile } from './sign-in.dto';
export { NamedUserCreate, User, UserCreate, UserDto } from './users.dto';
