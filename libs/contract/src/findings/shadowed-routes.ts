import type { RouteDescription } from '../route-description';

/** The codes of what can be wrong between routes. */
export const routeFaults = {
  'SLUICE-C401': 'Two routes answer the same requests: one of them never would.',
} as const;

/** Two routes that answer the same requests. */
export interface Shadowing {
  readonly route: RouteDescription;
  /** The one that is found before it. */
  readonly by: RouteDescription;
}

/**
 * Finds routes that no request can reach, because another takes all of theirs: the same method (or every method) and
 * the same path, whatever its parameters are called. `/users/me` beside `/users/:id` is no such thing: the router
 * looks at what is spelled out first.
 */
export function shadowedRoutes(routes: readonly RouteDescription[]): readonly Shadowing[] {
  const found: Shadowing[] = [];
  const byPath = new Map<string, RouteDescription[]>();
  for (const route of routes) {
    const rivals = byPath.get(form(route)) ?? [];
    const by = rivals.find((other) => overlap(other.method, route.method));
    if (by) found.push({ route, by });
    byPath.set(form(route), [...rivals, route]);
  }
  return found;
}

function form({ path }: RouteDescription): string {
  return path.replaceAll(/:\w+/g, ':').replaceAll(/\*\w*/g, '*');
}

function overlap(one: string, other: string): boolean {
  return one === other || one === 'ALL' || other === 'ALL';
}
