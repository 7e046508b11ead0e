export { keepSecret } from './secrets/keep-secret';
export { authSettings, duration } from './settings';
export {
  ContradictoryRouteError,
  ForbiddenError,
  HashingBusyError,
  InterchangeableTokensError,
  CallerRejectedError,
  SecretFileError,
  UnauthenticatedError,
  UnknownRoleError,
  UnknownStrategyError,
} from './errors';
export { AccessTokens, type AccessTokenOptions } from './tokens/access-tokens';
export type { AccessClaims, TokenSubject } from './tokens/claims';
export { type ComparePassword, Passwords, type PasswordsOptions } from './passwords/passwords';
export type { PasswordHasher } from './passwords/argon2id';
export { apiKeyStrategy, type ApiKeyStrategyOptions } from './strategies/api-key';
export type { AuthRequest, SecurityScheme, Strategy } from './strategies/strategy';
export {
  type BearerStrategy,
  bearerStrategy,
  type BearerStrategyOptions,
  bearerToken,
} from './strategies/bearer';
export { AuthGuard, type RequestCheck } from './nest/auth.guard';
export { AuthModule } from './nest/auth.module';
export {
  type AuthModuleOptions,
  type AuthOptions,
  type CheckErrorRule,
  replyWith,
} from './nest/auth-options';
export { callerFaults, callerFindings, knownCallers } from './nest/caller-findings';
export { securitySchemes } from './nest/security-schemes';
export { Caller, handsOutCaller, Public, Roles, takesCaller, UseStrategy } from './nest/decorators';
export { isPublic, type RouteRules, routeRules } from './nest/route-rules';
