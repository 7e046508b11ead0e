import type { RouteDescription } from '../route-description';

/** The codes for route faults. */
export const routeFaults = {
  'SLUICE-C401': 'Two routes match the same requests, so the second route is unreachable.',
  'SLUICE-C402':
    '`@Idempotent()` on a route whose response cannot be kept for its caller, or `@SignedBy()` on a route that is not a public POST with a storable response.',
  'SLUICE-C403':
    'A member of a response lacks a type in the OpenAPI document, such as `string | null` or the result of a transform.',
  'SLUICE-C404':
    'Two controllers have classes with the same name, and a handler with `@Idempotent()` or `@IfMatch()` that Nest cannot tell apart. Also found in a minified build that drops class names.',
  'SLUICE-C405':
    'An order or a filter of a list lacks an index. Found when a program starts, except with `NODE_ENV=production`.',
  'SLUICE-C406':
    'A member of the body of a PATCH has an initial value: a request that leaves it out would set it to that value.',
  'SLUICE-C407':
    '`@IfMatch()` must name a `@Get()` handler with `@ETag()` and a class, and without a class as the pipe of a parameter.',
  'SLUICE-C408':
    '`@IfMatch()` or `@Idempotent()` in a program without a database, or `@IfMatch()` in a controller that is made for each request.',
  'SLUICE-C409':
    'A handler with `@Idempotent()` or `@IfMatch()`, or the handler that `@IfMatch()` names, lacks the parameter `@Transaction()`.',
  'SLUICE-C410':
    'A list is sorted by a member with an unknown type or a different order (`@Sortable`), or filtered by a member without a rule (`@Filterable`), or the member is sent to some callers only.',
} as const;

/** A pair of routes that match the same requests. */
export interface Shadowing {
  readonly route: RouteDescription;
  /** The route that the router finds first. */
  readonly by: RouteDescription;
}

/**
 * Finds unreachable routes. A different route has the same method (or every method), the same path apart from parameter names,
 * and a common version. `/users/me` and `/users/:id` do not conflict, because the router prefers static paths.
 */
export function shadowedRoutes(routes: readonly RouteDescription[]): readonly Shadowing[] {
  const shadowings: Shadowing[] = [];
  const byPath = new Map<string, RouteDescription[]>();
  for (const route of routes) {
    const rivals = byPath.get(form(route)) ?? [];
    const by = rivals.find((rival) => overlap(rival.method, route.method) && shareVersion(rival, route));
    if (by) shadowings.push({ route, by });
    byPath.set(form(route), [...rivals, route]);
  }
  return shadowings;
}

function form({ path }: RouteDescription): string {
  return path.replaceAll(/:\w+/g, ':').replaceAll(/\*\w*/g, '*');
}

function shareVersion(
  { versions = ['neutral'] }: RouteDescription,
  { versions: others = ['neutral'] }: RouteDescription,
): boolean {
  return versions.some((version) => others.includes(version));
}

function overlap(left: string, right: string): boolean {
  return left === right || left === 'ALL' || right === 'ALL';
}
