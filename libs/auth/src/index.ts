export { type KeyFile, loadOrCreateKeys } from './keys/key-file';
export { publicJwks } from './keys/key-set';
export { runKeysCommand } from './keys/keys-command';
export { deriveKeys } from './secrets/derive-keys';
export { loadOrCreateSecret } from './secrets/secret-file';
export { authSettings, duration } from './settings';
export {
  CommonPasswordError,
  ForbiddenError,
  HashingBusyError,
  RecentSignInNeededError,
  ScopeNeededError,
  SecretFileError,
  UnauthenticatedError,
  VerifiedEmailNeededError,
} from './errors';
export { isGranted, wideScopes } from './scopes';
export { AccessTokens, type TokenRules, type TokenSecrets } from './tokens/access-tokens';
export type { TokenAlgorithm } from './tokens/algorithms';
export type { AccessClaims } from './tokens/claims';
export { loadCommonPasswords } from './passwords/common-passwords';
export { hashingChannels, type HashingLoad } from './passwords/channels';
export { type ComparePassword, Passwords } from './passwords/passwords';
export { isArgon2idNative } from './passwords/argon2id';
export type { PasswordHasher } from './passwords/password-hasher';
export { apiKeyStrategy } from './strategies/api-key';
export type { Strategy } from './strategies/strategy';
export { bearerStrategy } from './strategies/bearer';
export { AuthGuard } from './nest/auth.guard';
export { TokenKeyFile } from './nest/token-key-file';
export { AuthModule } from './nest/auth.module';
export { replyWith } from './nest/auth-options';
export { foreignFaults, foreignFindings, hasOtherGuards } from './nest/foreign-metadata';
export { callerFaults, callerFindings, findAuthOptions } from './nest/caller-findings';
export { securitySchemes } from './nest/security-schemes';
export {
  Caller,
  isCallerFactory,
  Public,
  Recent,
  Roles,
  Scopes,
  takesCaller,
  UseStrategy,
  Verified,
} from './nest/decorators';
export { isPublic, routeRules } from './nest/route-rules';
