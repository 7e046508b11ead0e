import type { FastifyInstance } from 'fastify';

/** A function that registers Fastify plugins and hooks. */
export type RegisterPlugins = (server: FastifyInstance) => void | Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether anyone may call the plugin's route. By default, a plugin's route requires a caller. */
    readonly isPublic?: boolean;
    /** Whether the route belongs to a controller, although a plugin registers it. The controller's guard authorizes. */
    readonly isOfController?: boolean;
  }
}

/**
 * Registers and loads a program's plugins. Call it before the routes are registered.
 *
 * Routes that a plugin registers bypass the pipes and serializers.
 *
 * @throws any error that a plugin throws
 */
export async function registerPlugins(server: FastifyInstance, plugins: RegisterPlugins): Promise<void> {
  await server.after();
  await plugins(server);
  await server.after();
}

/** The error for a module or plugin route that anyone could call because the program has no guard. It aborts the start. */
export class OpenRouteError extends Error {
  override readonly name = 'OpenRouteError';

  /** @param route the method and path, such as `GET /metrics` */
  constructor(readonly route: string) {
    super(
      `A module or a plugin registers ${route}, which no guard protects. ` +
        "Import an AuthModule, or make it public in the plan of the program: moduleRoutes: { '/path': 'public' }.",
    );
  }
}
