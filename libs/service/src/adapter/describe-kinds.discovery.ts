import type { RouteDescription } from '@app/contract';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RouteAdapter } from './route.adapter';

/** Returns a function that tells how a route is served: `compiled`, or `foreign` with the reason. */
export function describeKinds(app: NestFastifyApplication): (route: RouteDescription) => string {
  const adapter = app.getHttpAdapter();
  if (!(adapter instanceof RouteAdapter)) throw new TypeError('the program was created with another adapter');
  return ({ method, controller, handler }) => {
    if (method === 'ANY') return 'foreign: a module or a plugin registers it';
    const kind = adapter.kindOf(method, `${controller.name}.${handler}`);
    return kind.kind === 'compiled' ? kind.kind : `${kind.kind}: ${kind.reason}`;
  };
}
