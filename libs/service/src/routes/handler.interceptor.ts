import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/internal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Interceptor } from './compile-route';
import { keptNames } from './kept-names';

/** The interceptors of a program's handlers. Compiled routes and Nest's routes share them. */
export abstract class RouteInterceptors {
  /**
   * Returns a handler's interceptor, by the name that Nest gives to its route, such as `UsersController.read`.
   *
   * @returns `undefined` if nothing is declared
   */
  abstract of(key: string): Interceptor | undefined;
}

/** Calls the interceptor of a handler on a route that is left to Nest. Compiled routes do not use it. */
@Injectable()
class HandlerInterceptor implements NestInterceptor {
  constructor(private readonly interceptors: RouteInterceptors) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const key = `${context.getClass().name}.${context.getHandler().name}`;
    const interceptor = this.interceptors.of(key);
    if (interceptor === undefined)
      throw new TypeError(`Two controllers have ${key}. Give one of them another name. ${keptNames}`);
    const request = context.getArgByIndex<FastifyRequest>(0);
    const reply = context.getArgByIndex<FastifyReply>(1);
    const call = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from((async () => interceptor(request, reply, call))());
  }
}

const bind = UseInterceptors(HandlerInterceptor);

/** Returns a decorator that declares a handler's interceptor, and binds its caller on routes that Nest handles. */
export function interceptedDecorator(declare: (handler: object) => void): MethodDecorator {
  return (target, name, descriptor) => {
    const handler: object = Object(descriptor.value);
    declare(handler);
    if (!interceptorsOf(handler).includes(HandlerInterceptor)) bind(target, name, descriptor);
  };
}

/** Returns whether a handler has interceptors besides ours. */
export function hasOtherInterceptors(handler: object): boolean {
  return interceptorsOf(handler).some((interceptor) => interceptor !== HandlerInterceptor);
}

function interceptorsOf(handler: object): readonly unknown[] {
  const bound: readonly unknown[] | undefined = Reflect.getMetadata(INTERCEPTORS_METADATA, handler);
  return bound ?? [];
}
