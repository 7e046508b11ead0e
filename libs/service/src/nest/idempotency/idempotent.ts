import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type OnModuleInit,
  UseInterceptors,
} from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/internal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Idempotency } from './idempotency';

/** Runs the handler of an {@link Idempotent} route that is left to Nest; in a compiled route it is not called. */
@Injectable()
class IdempotencyInterceptor implements NestInterceptor, OnModuleInit {
  constructor(private readonly idempotency: Idempotency) {}

  /** @throws TypeError without a database: the program does not start */
  onModuleInit(): void {
    if (this.idempotency.requests === undefined)
      throw new TypeError('@Idempotent() needs a database: import PersistenceModule');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.getArgByIndex<FastifyRequest>(0);
    const reply = context.getArgByIndex<FastifyReply>(1);
    const call = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(Promise.resolve(this.idempotency.requests?.run(request, reply, call)));
  }
}

/**
 * Lets callers repeat a POST or PATCH safely: with the header `Idempotency-Key` the handler runs once, and a retry with the
 * same key and body gets the same response for 24 hours. All queries of the handler, the key and the response are one
 * transaction.
 *
 * The handler may run several times until its transaction succeeds, so its only effects are queries. An error is not kept.
 */
export function Idempotent(): MethodDecorator {
  return UseInterceptors(IdempotencyInterceptor);
}

/** Whether a handler (the method itself) is {@link Idempotent}. */
export function isIdempotent(handler: object): boolean {
  return interceptorsOf(handler).includes(IdempotencyInterceptor);
}

/** Whether a handler has interceptors besides that of {@link Idempotent}. */
export function hasOtherInterceptors(handler: object): boolean {
  return interceptorsOf(handler).some((one) => one !== IdempotencyInterceptor);
}

function interceptorsOf(handler: object): readonly unknown[] {
  const bound: readonly unknown[] | undefined = Reflect.getMetadata(INTERCEPTORS_METADATA, handler);
  return bound ?? [];
}
