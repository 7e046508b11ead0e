import type { RouteDescription } from '@app/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { describeRoute } from '../contract/describe-route';
import { programContext } from '../contract/describe-routes.discovery';
import { decoratedRoute, type ModuleRoutes } from './module-route.decorator';

/**
 * Describes the module routes that the program's plan names. The plan says who may call them with any method. The module decides
 * which input they accept and which responses they send.
 */
export function describeModuleRoutes(
  app: INestApplicationContext,
  moduleRoutes: ModuleRoutes = {},
): readonly RouteDescription[] {
  const program = programContext(app);
  const declared = {
    method: 'ANY',
    isIdempotent: false,
    hasEntityTag: false,
    ifMatch: undefined,
    deprecation: undefined,
  };
  return Object.entries(moduleRoutes).flatMap(([path, access]) =>
    describeRoute({ ...declared, ...decoratedRoute(access), paths: [path] }, program),
  );
}
