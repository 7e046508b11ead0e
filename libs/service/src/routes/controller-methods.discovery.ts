import { PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

/** A controller method that handles requests. */
export interface ControllerMethod {
  readonly controller: Function;
  readonly instance: object;
  readonly name: string;
  /** Whether a single instance handles all requests. */
  readonly isStatic: boolean;
}

/**
 * Returns the methods of a program's controllers by the name that Nest gives to their routes, such as `UsersController.read`.
 * Ambiguous names are left out.
 */
export function controllerMethods(modules: ModulesContainer): ReadonlyMap<string, ControllerMethod> {
  const methods = new Map<string, ControllerMethod>();
  const shared = new Set<string>();
  for (const [key, method] of eachMethod(modules)) {
    if (methods.has(key)) shared.add(key);
    methods.set(key, method);
  }
  for (const key of shared) methods.delete(key);
  return methods;
}

function* eachMethod(modules: ModulesContainer): Generator<[string, ControllerMethod]> {
  const scanner = new MetadataScanner();
  for (const { controllers } of modules.values()) {
    for (const wrapper of controllers.values()) {
      const { instance, metatype: controller } = wrapper;
      if (typeof controller !== 'function' || typeof instance !== 'object' || instance === null) continue;
      for (const name of scanner.getAllMethodNames(controller.prototype)) {
        const isRoute = Reflect.hasMetadata(PATH_METADATA, Reflect.get(controller.prototype, name));
        const isStatic = wrapper.isDependencyTreeStatic();
        if (isRoute) yield [`${wrapper.name}.${name}`, { controller, instance, name, isStatic }];
      }
    }
  }
}

/** Returns the method as its class declares it, to which decorators refer. */
export function methodOf({ controller, name }: ControllerMethod) {
  return Reflect.get(controller.prototype, name);
}
