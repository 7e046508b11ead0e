import type { Finding } from '@app/engine';
import { GUARDS_METADATA } from '@nestjs/common/internal';
import type { ApplicationConfig } from '@nestjs/core';
import { AuthGuard } from '../guard/auth.guard';
import type { Decorated } from '../routes/route-rules.discovery';

/** The keys of metadata that the decorators in Nest's documentation set, and ours in their place. */
const OURS: Readonly<Record<string, string>> = {
  isPublic: '@Public()',
  public: '@Public()',
  roles: '@Roles()',
  role: '@Roles()',
  scopes: '@Scopes()',
};

/** The code of findings on metadata that no guard reads. */
export const foreignFaults = {
  'SLUICE-C305':
    'A foreign decorator sets metadata such as `roles` or `isPublic`, which the guard of the program ignores.',
} as const;

/**
 * Finds metadata by which a foreign guard would decide who may call a route; here it would be silently ignored. A program or
 * route with its own guard may read the metadata, so it is not reported there.
 *
 * @param isGuardedElse whether the program has further guards, by {@link hasOtherGuards}
 */
export function foreignFindings(
  handler: Decorated,
  controller: Decorated,
  isGuardedElse: boolean,
): readonly Finding[] {
  const targets = [handler, controller];
  if (isGuardedElse || targets.some((target) => Reflect.hasMetadata(GUARDS_METADATA, target))) return [];
  return Object.entries(OURS)
    .filter(([key]) => targets.some((target) => Reflect.hasMetadata(key, target)))
    .map(([key, ours]) => ({
      code: 'SLUICE-C305',
      problem: `it has the metadata '${key}', which no guard reads`,
      remedy: `Use ${ours} of Sluice in place of the decorator that sets it`,
    }));
}

/** Returns whether a program has global guards besides ours. */
export function hasOtherGuards(config: ApplicationConfig): boolean {
  const others = config.getGlobalGuards().filter((guard) => !(guard instanceof AuthGuard));
  return others.length + config.getGlobalRequestGuards().length > 0;
}
