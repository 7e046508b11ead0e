import { type INestApplicationContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';
import { UnseenParameterError } from '../errors';
import type { GroupedSchema } from '../groups';
import { isInputClass, parametersOf, type RouteParameter } from './parameters';

const decorators = { body: '@Body', query: '@Query', path: '@Param' };

/**
 * Ends the start when a handler takes a whole body, query or path that no rule would ever be run on.
 *
 * A pipe sees the class of a parameter at run time or not at all, and lets pass what it cannot see: an interface, an
 * `import type`, a union, a list. It also lets pass a class without any rule. Parameters of `@Body('name')` and its
 * kin, of custom decorators and of `@Req`, `@Res`, `@Headers` are not looked at.
 *
 * @param app any time after `NestFactory.create`
 * @throws UnseenParameterError with one line for each such parameter
 */
export function refuseUnseenParameters(app: INestApplicationContext): void {
  const lines = [...eachController(app)].flatMap(unseenIn);
  if (lines.length > 0) throw new UnseenParameterError(lines);
}

function* eachController(app: INestApplicationContext): Generator<Function> {
  const seen = new Set<unknown>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function' && !seen.has(metatype)) yield metatype;
      seen.add(metatype);
    }
  }
}

function unseenIn(controller: Function): string[] {
  const prototype: object = controller.prototype;
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .filter((name) => Reflect.hasMetadata(PATH_METADATA, Reflect.get(prototype, name)))
    .flatMap((name) => unseenInHandler(controller, name));
}

function unseenInHandler(controller: Function, handler: string): string[] {
  return parametersOf(controller, handler).flatMap((parameter) => {
    const problem = parameter.field === undefined ? problemOf(parameter) : undefined;
    if (problem === undefined) return [];
    const place = `parameter ${parameter.index + 1} (${decorators[parameter.from]})`;
    return `${controller.name}.${handler}: ${place} ${problem}`;
  });
}

function problemOf({ schema, type, noted }: RouteParameter): string | undefined {
  if (schema) return problemOfGroups(schema, noted);
  if (type === undefined) {
    return 'has no class that can be seen at run time. Give it a class, imported without "type".';
  }
  return hasRules(type)
    ? undefined
    : `is a ${type.name}, which declares no rule. Declare one for each field.`;
}

function problemOfGroups({ type, groups }: GroupedSchema, declared: unknown): string | undefined {
  if (isInputClass(declared) && declared !== type) {
    return `is a ${declared.name}, but inGroups() names ${type.name}. Name the same class.`;
  }
  if (hasRules(type, groups)) return undefined;
  return `is a ${type.name}, which declares no rule in ${groups.join(', ')}. Name a group it has.`;
}

function hasRules(type: Function, groups: readonly string[] = []): boolean {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false, [...groups]).length > 0;
}
