import type { Database, Isolation } from '@app/persistence';
import { responseWriterOf } from '@app/contract';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import type { ExternalContextCreator } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTagOf, listsTag, versionTagOf } from './entity-tag';
import { ExcludedRepresentationError, PreconditionFailedError, PreconditionRequiredError } from './errors';
import type { Interceptor } from '../routes/compile-route';
import { parametersOfNest } from '../routes/nest.discovery.internals';
import { inRequestTransaction } from '../routes/request-transaction';
import type { ControllerMethod } from '../routes/controller-methods.discovery';
import { entityTagRuleOf } from './entity-tag.decorator';
import type { IfMatchRule } from './if-match.decorator';

/** The parts of a program that a route's condition needs. */
export interface ConditionContext {
  readonly db: Database;
  readonly adapter: object;
  /** Calls the reader with arguments as Nest reads them, including the arguments of custom decorators. */
  readonly contexts: ExternalContextCreator;
}

/** The isolation level under which a changed resource is read again. Rows are not locked because the rows to lock are unknown. */
const isolation = 'repeatable read';

/** Returns the isolation level for the transaction of a request that may have conditions. */
export function isolationOf({ headers }: Pick<FastifyRequest, 'headers'>): Isolation | undefined {
  return isConditional(headers) ? isolation : undefined;
}

/** The enhancers to skip when the reader is called. The request's guards and interceptors have already run. */
const withoutEnhancers = { guards: false, interceptors: false, filters: false };

function isConditional(headers: FastifyRequest['headers']): boolean {
  return headers['if-match'] !== undefined || headers['if-none-match'] !== undefined;
}

/**
 * Returns an interceptor that reads the resource and calls the handler in a single transaction. The resource cannot change in
 * between, because the handler writes the row that the reader reads.
 */
export function conditionOf(
  { controller, instance }: ControllerMethod,
  { reader, isRequired }: IfMatchRule,
  { db, adapter, contexts }: ConditionContext,
): Interceptor {
  const handler: (...args: unknown[]) => unknown = Reflect.get(instance, reader);
  const read = contexts.create(
    instance,
    handler,
    reader,
    ROUTE_ARGS_METADATA,
    parametersOfNest,
    undefined,
    undefined,
    withoutEnhancers,
  );

  const currentTag = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const resource: unknown = await read(request, reply);
    const { version } = entityTagRuleOf(handler) ?? {};
    if (version !== undefined) return versionTagOf(Object(resource), version);
    return entityTagOf(responseWriterOf(adapter, controller, reader, Reflect.get(request, 'user'))(resource));
  };

  return (request, reply, call) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    if (match === undefined && isRequired) throw new PreconditionRequiredError();
    if (!isConditional(request.headers)) return call();
    return inRequestTransaction(
      request,
      db,
      async () => {
        const tag = await currentTag(request, reply);
        // RFC 9110 §13.2.2 defines the order.
        if (match !== undefined && !listsTag(match, tag)) throw new PreconditionFailedError();
        if (noneMatch !== undefined && listsTag(noneMatch, tag)) throw new ExcludedRepresentationError();
        return call();
      },
      isolation,
    );
  };
}
