import type { FastifyInstance } from 'fastify';

/** Registers Fastify plugins and hooks. */
export type RegisterPlugins = (server: FastifyInstance) => void | Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Anyone may call a route that a plugin registers; others require a caller. */
    readonly isPublic?: boolean;
    /** Of a controller, whose guard authorizes, although a plugin registers it. */
    readonly isOfController?: boolean;
  }
}

/**
 * Registers the plugins of a program, and loads them. To be called before the routes are registered.
 *
 * No pipe or serializer applies to a route that a plugin registers.
 *
 * @throws any error of a plugin
 */
export async function registerPlugins(server: FastifyInstance, plugins: RegisterPlugins): Promise<void> {
  await server.after();
  await plugins(server);
  await server.after();
}

/** A module or a plugin registers a route that anyone could call, as the program has no guard. Aborts the start. */
export class OpenRouteError extends Error {
  override readonly name = 'OpenRouteError';

  /** @param route such as `GET /metrics` */
  constructor(readonly route: string) {
    super(
      `A module or a plugin registers ${route}, which no guard protects. ` +
        "Import an AuthModule, or make it public in the plan of the program: moduleRoutes: { '/path': 'public' }.",
    );
  }
}
