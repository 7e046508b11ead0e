/** The scopes that every program has. They include each resource's scopes, such as `items:read`. */
export const wideScopes = ['read', 'write'] as const;

/**
 * Returns whether a restricted caller has a scope.
 *
 * @param granted the caller's scopes
 * @param required the route's scope, such as `items:read`, which `read` includes
 */
export function isGranted(granted: readonly string[], required: string): boolean {
  return granted.includes(required) || granted.includes(required.slice(required.indexOf(':') + 1));
}
