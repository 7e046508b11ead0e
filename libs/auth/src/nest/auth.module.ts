import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AuthGuard } from './auth.guard';
import { AUTH_OPTIONS, type AuthModuleOptions, type ResolvedAuthOptions } from './auth-options';
import { RouteCheck } from './route-check';
import { registerStrategies } from './strategies-by-name';

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
