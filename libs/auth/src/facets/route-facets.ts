import { directSignIn } from './direct-sign-in.facet';
import type { Facet } from './facet';
import { recent } from './recent.facet';
import { twoFactors } from './two-factors.facet';
import { verified } from './verified.facet';

/** Every facet, in the order in which the guard checks them. */
export const routeFacets: readonly Facet[] = [directSignIn, verified, recent, twoFactors];
