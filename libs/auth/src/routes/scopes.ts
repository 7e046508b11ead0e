/** The scopes of every program: they include those of each resource, such as `items:read`. */
export const wideScopes = ['read', 'write'] as const;

/**
 * Whether a restricted caller may do something.
 *
 * @param granted  the scopes of the caller
 * @param required one of the route, such as `items:read`, which `read` includes
 */
export function isGranted(granted: readonly string[], required: string): boolean {
  return granted.includes(required) || granted.includes(required.slice(required.indexOf(':') + 1));
}
