export { FakeIssuer } from './fake-issuer';
