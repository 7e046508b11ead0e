import { type Database, inSharedTransaction } from '@app/persistence';
import { answerWriterOf } from '@app/serialization';
import { Rejected, type ValidationPipe } from '@app/validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTagOf, listsStrongTag, listsTag, versionTagOf } from '../../conditions/entity-tag';
import {
  ExcludedRepresentationError,
  PreconditionFailedError,
  PreconditionRequiredError,
} from '../../conditions/errors';
import type { Around } from '../../route/compile-route';
import type { IfMatchRule } from '../around/declared';
import { argumentReader } from '../route/argument-readers';
import type { ControllerMethod } from '../route/controller-methods';
import { entityTagRuleOf } from './entity-tags';

/** What the condition of a route needs of its program. */
export interface ConditionContext {
  readonly db: Database;
  readonly pipe: ValidationPipe;
  readonly adapter: object;
}

/**
 * Reads the resource and calls the handler in one transaction, so that nobody changes it in between.
 *
 * @throws TypeError if the program cannot call the reader
 */
export function conditionOf(
  { controller, instance }: ControllerMethod,
  { reader, isRequired }: IfMatchRule,
  { db, pipe, adapter }: ConditionContext,
): Around {
  const readArguments = argumentReader(controller, reader, pipe);
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
    return entityTagOf(answerWriterOf(adapter, controller, reader)(found));
  };

  return (request, reply, call) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    if (match === undefined && isRequired) throw new PreconditionRequiredError();
    if (match === undefined && noneMatch === undefined) return call();
    return inSharedTransaction(db, async () => {
      const tag = await currentTag(request, reply);
      // In the order of RFC 9110 §13.2.2.
      if (match !== undefined && !listsStrongTag(match, tag)) throw new PreconditionFailedError();
      if (noneMatch !== undefined && listsTag(noneMatch, tag)) throw new ExcludedRepresentationError();
      return call();
    });
  };
}
