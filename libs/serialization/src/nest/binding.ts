import type { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AnswerExplanation, AnswerWriter } from '../answer-writer';
import { UnboundSerializationError } from '../errors';
import type { StrippedFieldCounter, StrippedFields } from '../stripped-fields';
import type { AnswerTerms } from './answer-findings';
import { saidAnswer } from './answers';
import { type DeclaredAnswer, handlerOf, serializeOptionsOf } from './declared-answer';
import { handlersOf } from './handlers';

/** What the routes of a program have held back so far; nothing when nobody counts. Names, never what they hold. */
export function strippedFields(app: NestFastifyApplication): readonly StrippedFields[] {
  return bound.get(app.getHttpAdapter())?.strippedFields?.report() ?? [];
}

/** A part of an answer that is not written by compiled code. */
export interface LeftToLibrary {
  /** Such as `GET /users/:id`. */
  readonly route: string;
  /** The name of the class; `undefined` when it is the whole answer. */
  readonly type: string | undefined;
  readonly reason: string;
}

/**
 * Which answers class-transformer writes, where compiled code could not be exact, and why. Compiles what no request has
 * asked for yet, so it is for tests and for people who look.
 */
export function answersLeftToLibrary(app: NestFastifyApplication): readonly LeftToLibrary[] {
  const routes = bound.get(app.getHttpAdapter())?.explained ?? [];
  return routes.flatMap(({ route, explain }): LeftToLibrary[] => {
    // The first look makes the writers of the parts, the second one tells of them.
    explain();
    const { mode, reason = '', classes } = explain();
    if (mode === 'library') return [{ route, type: undefined, reason }];
    const left = classes.filter((one) => one.mode === 'library');
    return left.map((one) => ({ route, type: one.name, reason: one.reason ?? '' }));
  });
}

/** What the routes of a program are made by. */
export interface Binding extends AnswerTerms {
  readonly strippedFields?: StrippedFieldCounter;
  /** One for all routes of a handler: a `GET` brings a `HEAD` along. */
  readonly writers: WeakMap<DeclaredAnswer, AnswerWriter>;
  readonly explained: { readonly route: string; readonly explain: () => AnswerExplanation }[];
}

/** By the adapter of a program. */
export const bound = new WeakMap<object, Binding>();

/**
 * Ends the start of a program in which `@Answers` or `@SerializeOptions` would be said in vain.
 *
 * @param modules of the program
 * @param adapter of the program, when its routes are registered
 * @throws UnboundSerializationError naming the controllers
 */
export function assertBoundSerialization(modules: ModulesContainer, adapter: object): void {
  if (bound.has(adapter)) return;
  const speaking = handlersOf(modules).filter(
    ({ controller, name }) =>
      saidAnswer(handlerOf(controller, name)) !== undefined || serializeOptionsOf(controller, name),
  );
  const controllers = new Set(speaking.map(({ controller }) => controller.name));
  if (controllers.size > 0) throw new UnboundSerializationError([...controllers]);
}
