import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { AUTH_OPTIONS, type ResolvedAuthOptions } from '../auth-options';
import { routeAccess } from './route-access.discovery';
import type { Decorated } from './route-rules.discovery';

/** Resolves the access of every route at startup, so that an error fails the start and not a request. */
@Injectable()
export class RouteCheck implements OnModuleInit {
  constructor(
    @Inject(AUTH_OPTIONS) private readonly options: ResolvedAuthOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /** @throws the `routeAccess` errors */
  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype === 'function') this.check(metatype);
    }
  }

  private check(controller: Decorated): void {
    const prototype: Record<string, Decorated | undefined> = controller.prototype;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      if (handler && Reflect.hasMetadata('path', handler)) routeAccess(handler, controller, this.options);
    }
  }
}
