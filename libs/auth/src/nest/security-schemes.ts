import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { SecurityScheme } from '../strategies/strategy';
import { AUTH_OPTIONS, type ResolvedAuthOptions } from './auth-options';

/** The OpenAPI security schemes of an application, by name of strategy. */
export function securitySchemes(app: INestApplicationContext): Readonly<Record<string, SecurityScheme>> {
  const modules = [...app.get(ModulesContainer).values()];
  if (!modules.some(({ providers }) => providers.has(AUTH_OPTIONS))) return {};
  const { strategies } = app.get<ResolvedAuthOptions>(AUTH_OPTIONS, { strict: false });
  return Object.fromEntries(
    [...strategies.values()].flatMap(({ name, scheme }) => (scheme ? [[name, scheme]] : [])),
  );
}
