import type { RouteDescription } from '@app/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { describeRoute } from '../contract/describe-route';
import { programContext } from '../contract/describe-routes.discovery';
import { decoratedRoute, type ModuleRoutes } from './module-route.decorator';

/**
 * Describes what the plan of a program says of the routes that modules register: who may call them, by any method. What they accept
 * and send is their own.
 */
export function describeModuleRoutes(
  app: INestApplicationContext,
  moduleRoutes: ModuleRoutes = {},
): readonly RouteDescription[] {
  const program = programContext(app);
  const declared = { method: 'ANY', isIdempotent: false, hasEntityTag: false, ifMatch: undefined };
  return Object.entries(moduleRoutes).flatMap(([path, access]) =>
    describeRoute({ ...declared, ...decoratedRoute(access), paths: [path] }, program),
  );
}
