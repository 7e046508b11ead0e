import { STATUS_CODES } from 'node:http';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { UnboundSerializationError, UndeclaredAnswerError, UndeclaredAnswersError } from '../errors';
import { onlyText, undeclaredWriter, type Writer, writerOf } from '../writer';
import { answerFindings, type AnswerTerms } from './answer-findings';
import { saidAnswer } from './answers';
import { type DeclaredAnswer, declaredAnswer, handlerOf, serializeOptionsOf } from './declared-answer';
import { type Handler, handlersOf } from './handlers';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route declares that it sends. */
    answer?: DeclaredAnswer;
  }
}

/**
 * Makes every route of a program send what it declares by `@Answers` and `@SerializeOptions`. The writer of a route
 * is made once, when the route is registered: no interceptor runs, and no metadata is read per request.
 *
 * Errors, strings, buffers, streams and empty answers leave as the framework sends them. Where a route declares
 * nothing, instances obey the rules of their class and plain objects are sent as they are; with `hardened` the
 * start ends instead, and what turns out only when the handler has run is refused and not sent.
 *
 * @param app before `app.init()`, which registers the routes
 * @throws UndeclaredAnswersError with one line for each thing to mend
 */
export function bindSerialization(app: NestFastifyApplication, terms: AnswerTerms = {}): void {
  const handlers = handlersOf(app.get(ModulesContainer));
  refuseFindings(handlers, terms);
  for (const handler of handlers) writeDown(handler, handlers);
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRoute', (route) => bindRoute(route, terms));
  bound.add(app.getHttpAdapter());
}

/** The adapters whose routes are bound. */
const bound = new WeakSet<object>();

/**
 * Ends the start of a program in which `@Answers` or `@SerializeOptions` would be said in vain.
 *
 * @param modules of the program
 * @param adapter of the program, when its routes are registered
 * @throws UnboundSerializationError naming the controllers
 */
export function refuseUnboundSerialization(modules: ModulesContainer, adapter: object): void {
  if (bound.has(adapter)) return;
  const speaking = handlersOf(modules).filter(
    ({ controller, name }) =>
      saidAnswer(handlerOf(controller, name)) !== undefined || serializeOptionsOf(controller, name),
  );
  const controllers = new Set(speaking.map(({ controller }) => controller.name));
  if (controllers.size > 0) throw new UnboundSerializationError([...controllers]);
}

function refuseFindings(handlers: readonly Handler[], terms: AnswerTerms): void {
  const lines = handlers.flatMap(({ controller, name }) =>
    answerFindings(controller, name, terms).map(
      ({ code, problem, remedy }) => `${code} ${controller.name}.${name}: ${problem}. ${remedy}.`,
    ),
  );
  if (lines.length > 0) throw new UndeclaredAnswersError(lines);
}

/** Where the adapter finds it when it registers the route. Two controllers that inherit one method share this. */
function writeDown({ controller, name }: Handler, all: readonly Handler[]): void {
  const handler = handlerOf(controller, name);
  const answer = declaredAnswer(controller, name);
  const twin = all.find(
    (one) =>
      handlerOf(one.controller, one.name) === handler &&
      !isSame(declaredAnswer(one.controller, one.name), answer),
  );
  if (twin !== undefined) {
    throw new UndeclaredAnswersError([
      `SLUICE-C208 ${controller.name}.${name}: ${twin.controller.name} inherits it too, and declares another answer. Override it there.`,
    ]);
  }
  const config: object | undefined = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler);
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, answer }, handler);
}

function isSame(one: DeclaredAnswer, other: DeclaredAnswer): boolean {
  const types = [one, other].map((answer) => (answer.kind === 'class' ? answer.type : answer.kind));
  return types[0] === types[1] && JSON.stringify(one) === JSON.stringify(other);
}

function bindRoute(route: RouteOptions, terms: AnswerTerms): void {
  const { schema } = route;
  if (schema?.response !== undefined) return;
  const answer = route.config?.answer;
  const write = writerFor(answer, nameOf(route), terms);
  const statuses = terms.hardened ? { '2xx': {}, default: {} } : { '2xx': {} };
  route.schema = { ...schema, response: statuses };
  route.serializerCompiler = ({ httpStatus }) => (httpStatus === 'default' ? withErrors(write) : write);
  if (terms.hardened && answer?.kind !== 'bytes' && answer?.kind !== 'anything') refuseStreams(route);
}

function nameOf({ method, url }: RouteOptions): string {
  return `${[method].flat().join('|')} ${url}`;
}

function writerFor(answer: DeclaredAnswer | undefined, route: string, { hardened }: AnswerTerms): Writer {
  const terms = { isHardened: hardened };
  if (answer?.kind === 'class') return writerOf(answer.type, answer.options, terms);
  if (answer?.kind === 'anything' || !hardened) return undeclaredWriter(answer?.options, terms);
  return onlyText(() => new UndeclaredAnswerError(route));
}

/** A row that a handler sends with another status than 2xx is still a row; an error says no more than its status. */
function withErrors(write: Writer): Writer {
  return (sent) => {
    if (!(sent instanceof Error)) return write(sent);
    const statusCode: unknown = Reflect.get(sent, 'statusCode');
    return JSON.stringify({ statusCode, message: STATUS_CODES[Number(statusCode)] ?? 'Error' });
  };
}

/** What a handler yields is written by the framework, as it is, before anybody here sees it. */
function refuseStreams(route: RouteOptions): void {
  const refuse = (_: FastifyRequest, __: FastifyReply, payload: unknown, done: SendDone) => {
    const isStream = typeof payload === 'object' && payload !== null && !Buffer.isBuffer(payload);
    if (isStream) done(new UndeclaredAnswerError(nameOf(route), 'a stream'));
    else done(null, payload);
  };
  route.onSend = [refuse, ...[route.onSend ?? []].flat()];
}

type SendDone = (error: Error | null, payload?: unknown) => void;
