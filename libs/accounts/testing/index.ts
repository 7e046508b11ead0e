export { IdentityProvider } from './identity-provider';
export { FakeIssuer } from './fake-issuer';
export { type Deviations, type PasskeyRequest, SoftAuthenticator } from './soft-authenticator';
