import { Public, Roles, UseStrategy } from '@app/auth';

/** The callers that may use a module route: everybody, or callers from these strategies with a listed role. */
export type ModuleRouteAccess =
  | 'public'
  | {
      readonly roles?: readonly [string, ...string[]];
      readonly strategies?: readonly [string, ...string[]];
    };

/** The access rules by path, such as `/graphql`. A path that ends with `/*` covers itself and every path below it. */
export type ModuleRoutes = Readonly<Record<string, ModuleRouteAccess>>;

/** Makes a class and a handler with the decorators that give a controller the same access rule. */
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
