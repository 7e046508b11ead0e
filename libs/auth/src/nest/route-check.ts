import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { AUTH_REGISTER, type AuthRegister } from './auth-options';
import { demandOf } from './demand';
import type { Decorated } from './route-rules';

/** Works out every route's demand while the program starts, so that a mistake ends the start and not a request. */
@Injectable()
export class RouteCheck implements OnModuleInit {
  constructor(
    @Inject(AUTH_REGISTER) private readonly register: AuthRegister,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /** @throws UnknownStrategyError, UnknownRoleError, ContradictoryRouteError */
  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype === 'function') this.check(metatype);
    }
  }

  private check(controller: Decorated): void {
    const prototype: Record<string, Decorated | undefined> = controller.prototype;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      if (handler && Reflect.hasMetadata('path', handler)) demandOf(handler, controller, this.register);
    }
  }
}
