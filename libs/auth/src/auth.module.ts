import {
  type DynamicModule,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type OptionalFactoryDependency,
} from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AuthGuard } from './guard/auth.guard';
import { AUTH_OPTIONS, type AuthOptions, type ResolvedAuthOptions } from './auth-options';
import { RouteCheck } from './routes/route-check.discovery';
import { registerStrategies } from './strategies/strategies-by-name';

/** Makes the {@link AuthOptions} from providers of the application. */
export interface AuthModuleOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  // The arguments are those that `inject` names, which a type cannot express.
  readonly useFactory: (...injected: never[]) => AuthOptions | Promise<AuthOptions>;
}

/** Requires authentication on every route that is not `@Public()`. */
@Module({})
export class AuthModule {
  /**
   * Registers the strategies and the global guard.
   *
   * @throws at startup, if strategies conflict or a route is misconfigured
   */
  static forRootAsync({ imports = [], inject = [], useFactory }: AuthModuleOptions): DynamicModule {
    const resolveOptions = async (...injected: never[]): Promise<ResolvedAuthOptions> => {
      const options = await useFactory(...injected);
      return { ...options, strategies: registerStrategies(options.strategies) };
    };
    return {
      module: AuthModule,
      imports: [...imports, DiscoveryModule],
      providers: [
        { provide: AUTH_OPTIONS, inject, useFactory: resolveOptions },
        { provide: APP_GUARD, useClass: AuthGuard },
        RouteCheck,
      ],
    };
  }
}
