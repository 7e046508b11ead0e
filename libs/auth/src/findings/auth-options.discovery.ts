import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { AUTH_OPTIONS, type ResolvedAuthOptions } from '../auth-options';
import type { CallerOptions } from '../routes/route-access.discovery';
import type { SecurityScheme } from '../strategies/strategy';

/**
 * Returns the options of the application's `AuthModule`.
 *
 * @returns `undefined` for an application without an `AuthModule`
 */
export function findAuthOptions(app: INestApplicationContext): CallerOptions | undefined {
  const modules = [...app.get(ModulesContainer).values()];
  if (!modules.some(({ providers }) => providers.has(AUTH_OPTIONS))) return undefined;
  return app.get<ResolvedAuthOptions>(AUTH_OPTIONS, { strict: false });
}

/** Returns the application's OpenAPI security schemes by strategy name. */
export function securitySchemes(app: INestApplicationContext): Readonly<Record<string, SecurityScheme>> {
  const strategies = findAuthOptions(app)?.strategies.values() ?? [];
  return Object.fromEntries([...strategies].flatMap(({ name, scheme }) => (scheme ? [[name, scheme]] : [])));
}
