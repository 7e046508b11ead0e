/** The scopes of every program: they include those of each resource, such as `items:read`. */
export const wideScopes = ['read', 'write'] as const;

/**
 * Whether a restricted caller may do something.
 *
 * @param held   the scopes of the caller
 * @param needed one that the route requires, such as `items:read`, which `read` includes
 */
export function isGranted(held: readonly string[], needed: string): boolean {
  return held.includes(needed) || held.includes(needed.slice(needed.indexOf(':') + 1));
}
