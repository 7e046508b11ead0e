import { Public, Roles, UseStrategy } from '@app/auth';

/** Who may call what a module registers: everybody, or callers whom these strategies find and who have one of these roles. */
export type ModuleRouteAccess =
  | 'public'
  | {
      readonly roles?: readonly [string, ...string[]];
      readonly strategies?: readonly [string, ...string[]];
    };

/** By path, such as `/graphql`; one that ends with `/*` is for itself and all below it. */
export type ModuleRoutes = Readonly<Record<string, ModuleRouteAccess>>;

/** A class and its handler with the decorators that say the same of a controller. */
export function decoratedRoute(access: ModuleRouteAccess) {
  class ModuleRoute {
    handle(this: void) {}
  }
  if (access === 'public') Public()(ModuleRoute);
  else {
    if (access.roles) Roles(...access.roles)(ModuleRoute);
    if (access.strategies) UseStrategy(...access.strategies)(ModuleRoute);
  }
  return { controller: ModuleRoute, name: 'handle', handler: ModuleRoute.prototype.handle };
}
