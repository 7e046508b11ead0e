export { Accounts, type Credentials, type CredentialsChange, type SignedInUser } from './accounts';
export { AccountsStore } from './accounts.store';
export { Administration, type Standing } from './administration';
export { type AuditEvent, type AuditFilter, type AuditKind, auditKinds, AuditLog } from './audit-log';
export { AccountDisabledError, EmailTakenError, LastAdministratorError } from './errors';
export {
  FirstAdministrator,
  type FirstAdministratorOptions,
  type MadeAdministrator,
} from './first-administrator';
export { AccountsModule } from './nest/accounts.module';
export { SignInController } from './nest/sign-in.controller';
export { accountsOptions, type AccountsEnvironment, type AccountsOptions } from './options';
export { accountsSettings } from './settings';
export { LoginRequest, LoginResponse, Profile } from './sign-in.dto';
export { NamedUserCreate, User, UserCreate, UserDto } from './users.dto';
