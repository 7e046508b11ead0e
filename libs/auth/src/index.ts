export { type KeyFile, loadOrCreateKeys } from './keys/key-file';
export { publicJwks } from './keys/key-set';
export { runKeysCommand } from './keys/keys-command';
export { deriveKeys } from './secrets/derive-keys';
export { loadOrCreateSecret } from './secrets/secret-file';
export { authSettings } from './settings';
export {
  CommonPasswordError,
  ForbiddenError,
  SignInOverloadError,
  InsufficientScopeError,
  PasswordChangeRequiredError,
  SecretFileError,
  UnauthenticatedError,
} from './errors';
export { DirectSignIn, directSignIn, isDirectSignIn } from './facets/direct-sign-in.facet';
export { isRecentSignIn, Recent } from './facets/recent.facet';
export { facet, type Facet, type FacetGate, type FacetRule, type GuardedCaller } from './facets/facet';
export { registerFacets, routeFacets } from './facets/route-facets';
export { TwoFactorsRequiredError } from './facets/two-factors.facet';
export { Verified } from './facets/verified.facet';
export { isGranted, wideScopes } from './routes/scopes';
export { AccessTokens, type TokenRules, type TokenSecrets } from './tokens/access-tokens';
export type { TokenAlgorithm } from './tokens/algorithms';
export { BoundedCache } from './tokens/bounded-cache';
export type { AccessClaims } from './tokens/claims';
export { breachedPasswords } from './passwords/breached-passwords';
export { FairPlaces } from './remote/fair-places';
export { fetchBounded, FetchFailedError, fetchText } from './remote/fetch-text';
export { isIssuerUrl, isUrlOf } from './remote/issuer-url';
export { loadCommonPasswords } from './passwords/common-passwords';
export { hashingChannels, type HashingLoad } from './passwords/channels';
export { type ComparePassword, Passwords } from './passwords/passwords';
export { isArgon2idNative } from './passwords/argon2id';
export type { PasswordHasher } from './passwords/password-hasher';
export { apiKeyStrategy } from './strategies/api-key';
export type { Strategy } from './strategies/strategy';
export { type BearerStrategy, bearerStrategy, bearerToken } from './strategies/bearer';
export { AuthGuard } from './guard/auth.guard';
export { TokenKeyFile } from './keys/token-key-file.service';
export { AuthModule } from './auth.module';
export { type CheckErrorRule, type RefusedAccess, replyWith } from './auth-options';
export { foreignFaults, foreignFindings, hasOtherGuards } from './findings/foreign-metadata.discovery';
export { callerFaults, callerFindings, facetFindings } from './findings/caller-findings.discovery';
export { findAuthOptions, securitySchemes } from './findings/auth-options.discovery';
export {
  BeforePasswordChange,
  Caller,
  isCallerFactory,
  Public,
  Roles,
  Scopes,
  takesCaller,
  UseStrategy,
} from './routes/route.decorator';
export { isPublic, routeRules } from './routes/route-rules.discovery';
