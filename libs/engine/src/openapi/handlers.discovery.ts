import { RequestMethod } from '@nestjs/common';
import type { Operation, SwaggerDocument } from './document';

/** A handler of the program, and the operation of the document that describes it. */
export interface DescribedHandler {
  readonly operation: Operation;
  readonly controller: Function;
  /** The name of the method. */
  readonly handler: string;
  /** The method itself, which has Nest's metadata. */
  readonly method: Function;
}

/** A handler, and how its path ends: what precedes it is the prefix of the program, of a module, or a version. */
interface Handler extends Omit<DescribedHandler, 'operation'> {
  /** Such as `get`. */
  readonly verb: string;
  /** Such as `/users/{id}`; empty for the root. */
  readonly path: string;
}

/**
 * Finds the handler of each operation: by method and path, and if several have these, by the name that the operation was
 * given. Operations without one handler are left out.
 */
export function describedHandlers(
  document: SwaggerDocument,
  controllers: readonly Function[],
): DescribedHandler[] {
  const handlers = controllers.flatMap(handlersOf);
  return Object.entries(document.paths).flatMap(([path, operations]: [string, Record<string, Operation>]) =>
    Object.entries(operations).flatMap(([verb, operation]) => {
      const { controller, handler, method } = handlerOf(handlers, verb, path, operation.operationId) ?? {};
      return controller && handler && method ? [{ operation, controller, handler, method }] : [];
    }),
  );
}

function handlerOf(
  handlers: readonly Handler[],
  verb: string,
  path: string,
  id: string | undefined,
): Handler | undefined {
  const fitting = handlers.filter((one) => one.verb === verb && endsWith(path, one.path));
  const longest = Math.max(...fitting.map((one) => one.path.length));
  const nearest = fitting.filter((one) => one.path.length === longest);
  const named = nearest.filter(({ controller, handler }) => id?.startsWith(`${controller.name}_${handler}`));
  const [first, ...others] = nearest.length > 1 ? named : nearest;
  return others.length === 0 ? first : undefined;
}

function endsWith(path: string, end: string): boolean {
  return end === '' || path === end || path.endsWith(end);
}

function handlersOf(controller: Function): Handler[] {
  const { prototype }: { prototype: object } = controller;
  return methodsOf(prototype).flatMap(([handler, method]) => {
    const number: unknown = Reflect.getMetadata('method', method);
    if (typeof number !== 'number') return [];
    const verb = (RequestMethod[number] ?? '').toLowerCase();
    return listed(Reflect.getMetadata('path', controller)).flatMap((outer) =>
      listed(Reflect.getMetadata('path', method)).map((inner) => {
        const path = templateOf(`${outer}/${inner}`);
        return { controller, handler, method, verb, path };
      }),
    );
  });
}

/** Of the class and its ancestors: a controller may inherit handlers. */
function methodsOf(prototype: object): [name: string, method: Function][] {
  const names = new Set<string>();
  for (let one = prototype; one !== Object.prototype; one = Object.getPrototypeOf(one))
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  names.delete('constructor');
  return [...names].flatMap((name): [string, Function][] => {
    const method: unknown = Object.getOwnPropertyDescriptor(ownerOf(prototype, name), name)?.value;
    return typeof method === 'function' ? [[name, method]] : [];
  });
}

function ownerOf(prototype: object, name: string): object {
  let one = prototype;
  while (!Object.hasOwn(one, name)) one = Object.getPrototypeOf(one);
  return one;
}

function listed(paths: unknown): string[] {
  return [paths ?? ''].flat().map(String);
}

/** `users/:id` → `/users/{id}`. */
function templateOf(path: string): string {
  const parts = path.split('/').filter(Boolean);
  return parts.map((part) => `/${part.replaceAll(/:(\w+)/g, '{$1}')}`).join('');
}
