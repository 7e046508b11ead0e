import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { ClassTransformOptions } from 'class-transformer';
import type { WireClass } from '../declared-rules';
import { refuseOpenHeir } from '../refuse-open-classes';

/** What a route declares that it sends. */
export interface RouteAnswer {
  readonly type: WireClass;
  /** Whether it sends a list of them. */
  readonly isList: boolean;
  readonly options: ClassTransformOptions;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What `@Answers` says of the route. */
    answer?: RouteAnswer;
  }
}

const ANSWER = Symbol('sluice.answer');

/**
 * Declares what a route sends: `@Answers(User, { groups: ['admin'] })`, or `@Answers([User])` for a list.
 *
 * Whatever the handler returns (a row of a store, an instance, an array of either) is made an instance of the class
 * and leaves by that class's rules. Errors are not touched.
 *
 * @param options class-transformer's own: groups, version and the rest
 * @throws OpenWireClassError for a class that extends a closed one without being closed itself
 * @throws TypeError when the class is not there yet: two files that import each other
 */
export function Answers(
  type: WireClass | readonly [WireClass],
  options: ClassTransformOptions = {},
): MethodDecorator {
  const answer = readAnswer(type, options);
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    Reflect.defineMetadata(ANSWER, answer, handler);
    addToRouteConfig(handler, answer);
    // A @RouteConfig written above runs after us and replaces the whole config, so we look again when the class is
    // complete, which is before any route is made from it.
    queueMicrotask(() => addToRouteConfig(handler, answer));
  };
}

/** What {@link Answers} says of a handler (the method itself), or `undefined`. */
export function answersOf(handler: object): RouteAnswer | undefined {
  const answer: RouteAnswer | undefined = Reflect.getMetadata(ANSWER, handler);
  return answer;
}

function readAnswer(given: WireClass | readonly [WireClass], options: ClassTransformOptions): RouteAnswer {
  const isList = typeof given === 'object';
  const type: WireClass | undefined = isList ? given[0] : given;
  if (typeof type !== 'function') {
    throw new TypeError(
      '@Answers needs a class, and this one is not there yet: do two files import each other?',
    );
  }
  refuseOpenHeir(type);
  return Object.freeze({ type, isList, options: Object.freeze({ ...options }) });
}

function addToRouteConfig(handler: object, answer: RouteAnswer): void {
  const config: object | undefined = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler);
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, answer }, handler);
}
