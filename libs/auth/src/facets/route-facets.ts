import { directSignIn } from './direct-sign-in.facet';
import { type Facet, madeFacets, type Requirement } from './facet';
import { recent } from './recent.facet';
import { twoFactors } from './two-factors.facet';
import { verified } from './verified.facet';

/** The facets in the order in which the guard checks them. Plugin facets come last. */
const registered = new Set<Facet>([directSignIn, verified, recent, twoFactors]);

/** Returns the facets that the guard checks. */
export function routeFacets(): readonly Facet[] {
  return [...registered];
}

/** Registers the facets of plugins. */
export function registerFacets(facets: readonly Facet[]): void {
  for (const facet of facets) registered.add(facet);
}

/**
 * Returns a route's facet requirements.
 *
 * @throws TypeError if the route uses a facet that is missing from the program's plugins
 */
export function requirementsOf(handler: Function, controller: Function): readonly Requirement[] {
  for (const facet of madeFacets)
    if (!registered.has(facet) && facet.read(handler, controller))
      throw new TypeError(
        `${controller.name}.${handler.name} has ${facet.decorator}, which no plugin of the program declares: add its facet to \`facets\` of a plugin.`,
      );
  return routeFacets().flatMap(({ read }) => read(handler, controller) ?? []);
}
