import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AuthGuard } from './auth.guard';
import { AUTH_REGISTER, type AuthModuleOptions, type AuthRegister } from './auth-options';
import { RouteCheck } from './route-check';
import { registerStrategies } from './strategies-by-name';

/** Closes every route of the program that is not marked `@Public()`. */
@Module({})
export class AuthModule {
  /**
   * Registers the strategies and the one global guard.
   *
   * @throws while the program starts, if strategies clash or a route's decorators cannot be obeyed
   */
  static forRootAsync({ imports = [], inject = [], useFactory }: AuthModuleOptions): DynamicModule {
    const makeRegister = async (...injected: never[]): Promise<AuthRegister> => {
      const options = await useFactory(...injected);
      return { ...options, strategies: registerStrategies(options.strategies) };
    };
    return {
      module: AuthModule,
      imports: [...imports, DiscoveryModule],
      providers: [
        { provide: AUTH_REGISTER, inject, useFactory: makeRegister },
        { provide: APP_GUARD, useClass: AuthGuard },
        RouteCheck,
      ],
    };
  }
}
