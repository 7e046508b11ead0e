import { isFunction } from '../../shapes/values';
/*
 * Private members of NestJS 10 to 12: `routesResolver.routerExplorer.executionContextCreator` of an application, and its methods. NestJS has
 * no public way to replace what sends the results of handlers. Gain: the compiled serializer (npm run bench -- serialization); the
 * replacement was not timed alone. Without the members: nothing is replaced, and class-transformer writes the responses.
 */

/** The responder that Nest's router calls, with a method for each kind of response. */
export interface ResponseController {
  apply: (result: unknown, response: object, status?: number) => unknown;
  render: (result: unknown, response: object, template: unknown) => unknown;
  redirect: (result: unknown, response: object, redirect: unknown) => unknown;
  sse: (
    messages: Subscribable | Promise<Subscribable>,
    response: object,
    request: object,
    more?: unknown,
  ) => unknown;
  /** Sends async iterables; since Nest 12. */
  stream?: (body: AsyncIterable<unknown>, response: object, request: object, more?: unknown) => unknown;
  transformToResult: (result: unknown) => Promise<unknown>;
}

/** The members of an rxjs observable that are used here. */
export interface Subscribable {
  readonly constructor: Function;
  subscribe(observer: Observer): unknown;
}

/** The methods that an observable calls. */
export interface Observer {
  next(value: unknown): void;
  error(reason: unknown): void;
  complete(): void;
}

/** The part of Nest's router that creates the request handlers. */
interface RouterContext {
  readonly responseController: ResponseController;
  create: (instance: object, ...rest: unknown[]) => unknown;
  createHandleResponseFn: (callback: Function, ...rest: unknown[]) => unknown;
}

/**
 * Gives every handler its own responder. The application's routes must not be registered yet.
 *
 * @param makeController called once for each handler, with its class, before its first request
 * @returns `false` if this Nest has a different router, which stays unchanged
 */
export function replaceResponders(
  app: object,
  makeController: (base: ResponseController, controller: Function, handler: Function) => ResponseController,
): boolean {
  const context = routerContext(app);
  if (!context) return false;
  const { create, createHandleResponseFn, responseController } = context;
  let controller: Function = Object;
  context.create = (instance, ...rest) => {
    controller = instance.constructor;
    return create.call(context, instance, ...rest);
  };
  context.createHandleResponseFn = (callback, ...rest) => {
    const own = makeController(responseController, controller, callback);
    const withOwn: RouterContext = Object.create(context, { responseController: { value: own } });
    return createHandleResponseFn.call(withOwn, callback, ...rest);
  };
  return true;
}

function routerContext(app: object): RouterContext | undefined {
  const explorer = property(property(app, 'routesResolver'), 'routerExplorer');
  const context: RouterContext | undefined = Object(explorer)['executionContextCreator'];
  const methods = [context?.create, context?.createHandleResponseFn, context?.responseController?.apply];
  return methods.every((method) => isFunction(method)) ? context : undefined;
}

function property(owner: unknown, name: string): unknown {
  return Reflect.get(Object(owner), name);
}
