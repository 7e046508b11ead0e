import type { FastifyInstance, RouteOptions } from 'fastify';
import { OpenRouteError } from '../lifecycle/errors';

/** Registers Fastify plugins and hooks. */
export type RegisterPlugins = (server: FastifyInstance) => void | Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Allows a route that a plugin registers, although it has no guard: anyone may call it. */
    readonly isPublic?: boolean;
  }
}

/**
 * Registers the plugins of a program, and loads them. To be called before the routes are registered.
 *
 * No guard, pipe or serializer applies to a route that a plugin registers.
 *
 * @throws OpenRouteError if a plugin registers a route without `config: { isPublic: true }`; any error of a plugin
 */
export async function registerPlugins(server: FastifyInstance, plugins: RegisterPlugins): Promise<void> {
  await server.after();
  let isLoading = true;
  server.addHook('onRoute', (route) => {
    if (isLoading) assertPublic(route);
  });
  await plugins(server);
  await server.after();
  isLoading = false;
}

function assertPublic({ config, method, url }: RouteOptions): void {
  if (config?.isPublic !== true) throw new OpenRouteError(`${[method].flat().join()} ${url}`);
}
