import { HttpStatus } from '@nestjs/common';
import { HTTP_CODE_METADATA } from '@nestjs/common/internal';
import type { Interceptor, RouteParts, Sender } from '../routes/compile-route';
import { argumentReader } from './argument-readers.discovery';
import type { ControllerMethod } from '../routes/controller-methods.discovery';
import { hasOwnParts, type KnownParts } from './route-parts.discovery';

/**
 * Collects the parts of a route that can be compiled.
 *
 * @param method as Nest registers it, such as `POST`
 * @returns `undefined` when one of its parts is not ours
 */
export function knownRoute(
  method: string,
  { controller, instance, name }: ControllerMethod,
  { guard, pipe, filter }: KnownParts,
  sender: Sender,
  admit: RouteParts['admit'],
  interceptor: Interceptor | undefined,
): RouteParts | undefined {
  const handler: unknown = Reflect.get(instance, name);
  if (typeof handler !== 'function' || hasOwnParts(handler, controller)) return undefined;
  const readArguments = argumentReader(controller, name, pipe);
  if (readArguments === undefined) return undefined;
  return {
    instance,
    handler,
    status: statusOf(handler, method),
    authorize: guard?.checkOf(handler, controller),
    admit,
    readArguments,
    interceptor,
    sendError: (error, request, reply) => filter.sendError(error, request, reply),
    sender,
  };
}

function statusOf(handler: object, method: string): number {
  const declared: number | undefined = Reflect.getMetadata(HTTP_CODE_METADATA, handler);
  return declared ?? (method === 'POST' ? HttpStatus.CREATED : HttpStatus.OK);
}
