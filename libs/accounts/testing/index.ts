export { FakeIssuer } from './fake-issuer';
export { type Deviations, type PasskeyRequest, SoftAuthenticator } from './soft-authenticator';
