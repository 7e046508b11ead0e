import { PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

/** A method of a controller that handles requests. */
export interface Handler {
  readonly controller: Function;
  readonly name: string;
}

/** Returns every handler of a program, once. */
export function handlersOf(modules: ModulesContainer): readonly Handler[] {
  const classes = new Set<Function>();
  for (const module of modules.values()) {
    for (const { metatype } of module.controllers.values()) if (metatype !== null) classes.add(metatype);
  }
  return [...classes].flatMap((controller) =>
    namesOf(controller).map((name): Handler => ({ controller, name })),
  );
}

function namesOf(controller: Function): string[] {
  const prototype: object = controller.prototype;
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .filter((name) => Reflect.hasMetadata(PATH_METADATA, Reflect.get(prototype, name)));
}
