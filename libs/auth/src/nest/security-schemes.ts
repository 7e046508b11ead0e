import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { SecurityScheme } from '../strategies/strategy';
import { AUTH_REGISTER, type AuthRegister } from './auth-options';

/** How callers sign in to a program, by the name of the strategy. */
export function securitySchemes(app: INestApplicationContext): Readonly<Record<string, SecurityScheme>> {
  const modules = [...app.get(ModulesContainer).values()];
  if (!modules.some(({ providers }) => providers.has(AUTH_REGISTER))) return {};
  const { strategies } = app.get<AuthRegister>(AUTH_REGISTER, { strict: false });
  return Object.fromEntries(
    [...strategies.values()].flatMap(({ name, scheme }) => (scheme ? [[name, scheme]] : [])),
  );
}
