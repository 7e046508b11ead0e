import type { FastifyInstance, RouteOptions } from 'fastify';

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

/** A Fastify plugin registers a route that anyone could call. Aborts the start. */
export class OpenRouteError extends Error {
  override readonly name = 'OpenRouteError';

  /** @param route such as `GET /metrics` */
  constructor(readonly route: string) {
    super(
      `A plugin registers ${route}, which no guard protects. ` +
        'Write it as a controller, or give it config: { isPublic: true } if anyone may call it.',
    );
  }
}
