import type { Check } from '../target/target.mts';
import { accounts, recoveries } from './accounts.mts';
import { authentication } from './authentication.mts';
import { authorization } from './authorization.mts';
import { connections } from './connections.mts';
import { credentials } from './credentials.mts';
import { endless } from './endless.mts';
import { floods } from './floods.mts';
import { identityProviders } from './identity-providers.mts';
import { input } from './input.mts';
import { issuerTokens } from './issuer-tokens.mts';
import { keptConnection } from './kept-connection.mts';
import { afterwards } from './leaks.mts';
import { passkeys } from './passkeys.mts';
import { providerAccounts } from './provider-accounts.mts';
import { sessionCookies } from './session-cookies.mts';
import { sizes } from './sizes.mts';
import { tenants } from './tenants.mts';
import { upgrades } from './upgrades.mts';
import { introspections, slowThirdParties } from './third-parties.mts';
import { uploads } from './uploads.mts';
import { ways } from './ways.mts';

const [expiry] = authentication.slice(-1);

/** Lists every check in running order. Checks that exhaust the service run late, and the search for leaks runs last. */
export const checks: readonly Check[] = [
  ...authentication.slice(0, -1),
  ...authorization,
  ...tenants,
  ...ways,
  ...passkeys,
  ...sessionCookies,
  ...identityProviders,
  ...issuerTokens,
  ...providerAccounts,
  ...introspections,
  ...slowThirdParties,
  ...recoveries,
  ...input,
  ...sizes,
  ...uploads,
  ...connections,
  ...upgrades,
  keptConnection,
  ...floods,
  ...accounts,
  ...endless,
  ...credentials,
  ...(expiry ? [expiry] : []),
  ...afterwards,
];
