import { type INestApplicationContext, ValidationPipe as NestValidationPipe } from '@nestjs/common';
import {
  PARAMTYPES_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
} from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';
import { UnseenParameterError } from '../errors';
import { GroupedSchema } from '../groups';

/** What a parameter decorator wrote down: `3:0` → the body, first parameter. */
interface DeclaredArgument {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly schema?: unknown;
}

/** The decorators that can take a whole object, by the number Nest knows them under. */
const decorators = new Map<string, string>([
  [String(RouteParamtypes.BODY), '@Body'],
  [String(RouteParamtypes.QUERY), '@Query'],
  [String(RouteParamtypes.PARAM), '@Param'],
]);

/** What a compiler writes for an interface, a type, a union, a list, or a class imported as a type. */
const notClasses = new Set<unknown>([
  undefined,
  Object,
  Array,
  String,
  Number,
  Boolean,
  Function,
  Promise,
  Map,
  Set,
]);

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
  const types: readonly unknown[] =
    Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, handler) ?? [];
  return wholeObjectsOf(controller, handler).flatMap(({ decorator, argument }) => {
    const problem = problemOf(argument, types[argument.index]);
    if (problem === undefined) return [];
    return `${controller.name}.${handler}: parameter ${argument.index + 1} (${decorator}) ${problem}`;
  });
}

/** The arguments of a handler that take a whole body, query or path, in the order of its parameters. */
function wholeObjectsOf(controller: Function, handler: string) {
  const declared: Record<string, DeclaredArgument> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
  return Object.entries(declared)
    .map(([key, argument]) => ({ argument, decorator: decorators.get(kindOf(key)) }))
    .filter(({ argument, decorator }) => argument.data === undefined && decorator !== undefined)
    .toSorted((one, other) => one.argument.index - other.argument.index);
}

/** `3` of `3:0`; the key of a custom decorator begins with a name and is none of ours. */
function kindOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

function problemOf({ schema, pipes = [] }: DeclaredArgument, type: unknown): string | undefined {
  if (schema instanceof GroupedSchema) return problemOfGroups(schema, type);
  const seen = expectedTypeOf(pipes) ?? type;
  if (notClasses.has(seen) || typeof seen !== 'function') {
    return 'has no class that can be seen at run time. Give it a class, imported without "type".';
  }
  return hasRules(seen)
    ? undefined
    : `is a ${seen.name}, which declares no rule. Declare one for each field.`;
}

function problemOfGroups({ type, groups }: GroupedSchema, declared: unknown): string | undefined {
  if (!notClasses.has(declared) && declared !== type) {
    const name = typeof declared === 'function' ? declared.name : String(declared);
    return `is a ${name}, but inGroups() names ${type.name}. Name the same class.`;
  }
  if (hasRules(type, groups)) return undefined;
  return `is a ${type.name}, which declares no rule in ${groups.join(', ')}. Name a group it has.`;
}

/** A parameter may bring a pipe of its own that is told its class. */
function expectedTypeOf(pipes: readonly unknown[]): unknown {
  return pipes
    .filter((pipe) => pipe instanceof NestValidationPipe)
    .map((pipe): unknown => Reflect.get(pipe, 'expectedType'))
    .find((type) => type !== undefined);
}

function hasRules(type: Function, groups: readonly string[] = []): boolean {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false, [...groups]).length > 0;
}
