import { type Database, inSharedTransaction, type Isolation } from '@app/persistence';
import { responseWriterOf } from '@app/contract';
import { Rejected } from '@app/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTagOf, listsTag, versionTagOf } from './entity-tag';
import { ExcludedRepresentationError, PreconditionFailedError, PreconditionRequiredError } from './errors';
import type { Interceptor } from '../routes/compile-route';
import type { ReadArguments } from '../routes/route-arguments';
import type { ControllerMethod } from '../routes/controller-methods.discovery';
import { entityTagRuleOf } from './entity-tag.decorator';
import type { IfMatchRule } from './if-match.decorator';

/** What the condition of a route needs of its program. */
export interface ConditionContext {
  readonly db: Database;
  /** Reads the arguments of a handler; `undefined` if a parameter is not ours. */
  readonly readerOf: (controller: Function, handler: string) => ReadArguments | undefined;
  readonly adapter: object;
}

/** A resource that is changed after it was read, is read again: which rows its reader reads is not known, so none are locked. */
const isolation = 'repeatable read';

/** How the transaction of a request is isolated that may have conditions. */
export function isolationOf({ headers }: Pick<FastifyRequest, 'headers'>): Isolation | undefined {
  return isConditional(headers) ? isolation : undefined;
}

function isConditional(headers: FastifyRequest['headers']): boolean {
  return headers['if-match'] !== undefined || headers['if-none-match'] !== undefined;
}

/**
 * Reads the resource and calls the handler in one transaction, so that nobody changes it in between:
 * the handler writes the row that the reader reads.
 *
 * @throws TypeError if the program cannot call the reader
 */
export function conditionOf(
  { controller, instance }: ControllerMethod,
  { reader, isRequired }: IfMatchRule,
  { db, readerOf, adapter }: ConditionContext,
): Interceptor {
  const readArguments = readerOf(controller, reader);
  const read: unknown = Reflect.get(instance, reader);
  if (readArguments === undefined || typeof read !== 'function')
    throw new TypeError(
      `@IfMatch('${reader}') names no handler of ${controller.name} with parameters of ours`,
    );

  const currentTag = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const args = await readArguments(request, reply);
    if (args instanceof Rejected) throw args.error;
    const found: unknown = await read.apply(instance, args);
    const { version } = entityTagRuleOf(read) ?? {};
    if (version !== undefined) return versionTagOf(Object(found), version);
    return entityTagOf(responseWriterOf(adapter, controller, reader)(found));
  };

  return (request, reply, call) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    if (match === undefined && isRequired) throw new PreconditionRequiredError();
    if (!isConditional(request.headers)) return call();
    return inSharedTransaction(
      db,
      async () => {
        const tag = await currentTag(request, reply);
        // In the order of RFC 9110 §13.2.2.
        if (match !== undefined && !listsTag(match, tag)) throw new PreconditionFailedError();
        if (noneMatch !== undefined && listsTag(noneMatch, tag)) throw new ExcludedRepresentationError();
        return call();
      },
      isolation,
    );
  };
}
