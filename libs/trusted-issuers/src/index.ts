export { TrustedIssuerUnavailableError } from './errors';
export { trustedIssuers } from './trusted-issuers.plugin';
export type { TrustedCaller } from './trusted-strategies';
