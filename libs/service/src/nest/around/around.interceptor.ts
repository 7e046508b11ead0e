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
import { RouteArounds } from './route-arounds';

/** Runs what is declared around a handler on a route that is left to Nest; in a compiled route it is not called. */
@Injectable()
class AroundInterceptor implements NestInterceptor {
  constructor(private readonly arounds: RouteArounds) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const key = `${context.getClass().name}.${context.getHandler().name}`;
    const around = this.arounds.of(key);
    if (around === undefined)
      throw new TypeError(`two controllers have ${key}: give one of them another name`);
    const request = context.getArgByIndex<FastifyRequest>(0);
    const reply = context.getArgByIndex<FastifyReply>(1);
    const call = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from((async () => around(request, reply, call))());
  }
}

const bind = UseInterceptors(AroundInterceptor);

/** A decorator that declares something around a handler, and binds what runs it where Nest handles the route. */
export function aroundDecorator(declare: (handler: object) => void): MethodDecorator {
  return (target, name, descriptor) => {
    const handler: object = Object(descriptor.value);
    declare(handler);
    if (!interceptorsOf(handler).includes(AroundInterceptor)) bind(target, name, descriptor);
  };
}

/** Whether a handler has interceptors besides ours. */
export function hasOtherInterceptors(handler: object): boolean {
  return interceptorsOf(handler).some((one) => one !== AroundInterceptor);
}

function interceptorsOf(handler: object): readonly unknown[] {
  const bound: readonly unknown[] | undefined = Reflect.getMetadata(INTERCEPTORS_METADATA, handler);
  return bound ?? [];
}
