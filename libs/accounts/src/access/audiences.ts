import { isGranted, wideScopes } from '@app/auth';
import type { Audience } from '@app/contract';

/**
 * Returns the accounts' audiences: `self`, each role such as `admin`, and each scope such as `scope:items:read`. A caller who
 * is not restricted to scopes has every scope.
 */
export function accountAudiences(roles: readonly string[], scopes: readonly string[]): readonly Audience[] {
  return [
    { name: 'self', description: 'the account itself', ownerOf: ({ userId }) => userId },
    ...[...new Set(roles)].map((name) => ({
      name,
      description: `callers with the role \`${name}\``,
      includes: ({ role }: Readonly<Record<string, unknown>>) => role === name,
    })),
    ...[...new Set([...wideScopes, ...scopes])].map((scope) => ({
      name: `scope:${scope}`,
      description: `callers with the scope \`${scope}\``,
      includes: ({ scopes: granted }: Readonly<Record<string, unknown>>) =>
        granted === undefined || (Array.isArray(granted) && isGranted(granted, scope)),
    })),
  ];
}
