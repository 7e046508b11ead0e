import { STATUS_CODES } from 'node:http';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { AnswerWriter } from '../answer-writer';
import { UndeclaredAnswerError, UndeclaredAnswersError } from '../errors';
import { StrippedFieldCounter, strippedFieldsNames, type StrippedFieldSettings } from '../stripped-fields';
import { onlyText, undeclaredWriter, type Writer, writerOf } from '../writer';
import { answerFindings, type AnswerTerms } from './answer-findings';
import { type Binding, bound } from './binding';
import { boundedLists } from './bounded-lists';
import { type ClassAnswer, type DeclaredAnswer, declaredAnswer, handlerOf } from './declared-answer';
import { type Handler, handlersOf } from './handlers';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route declares that it sends. */
    answer?: DeclaredAnswer;
  }
}

/** How a program answers. */
export interface BindingSettings extends AnswerTerms {
  /** Count which fields the routes hold back, by name; not counted, unless given. */
  readonly strippedFields?: StrippedFieldSettings;
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
export function bindSerialization(app: NestFastifyApplication, settings: BindingSettings = {}): void {
  const handlers = handlersOf(app.get(ModulesContainer));
  refuseFindings(handlers, settings);
  for (const handler of handlers) writeDown(handler, handlers);
  const server = app.getHttpAdapter().getInstance();
  const strippedFields = settings.strippedFields && new StrippedFieldCounter(settings.strippedFields);
  const binding: Binding = {
    hardened: settings.hardened,
    strippedFields,
    writers: new WeakMap(),
    explained: [],
  };
  server.addHook('onRoute', (route) => bindRoute(route, binding));
  bound.set(app.getHttpAdapter(), binding);
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

function bindRoute(route: RouteOptions, binding: Binding): void {
  const { schema } = route;
  if (schema?.response !== undefined) return;
  const answer = route.config?.answer;
  const writeAll = writerFor(answer, nameOf(route), binding);
  const write = binding.hardened ? boundedLists(writeAll, nameOf(route)) : writeAll;
  const statuses = binding.hardened ? { '2xx': {}, default: {} } : { '2xx': {} };
  route.schema = { ...schema, response: statuses };
  route.serializerCompiler = ({ httpStatus }) => (httpStatus === 'default' ? withErrors(write) : write);
  if (binding.hardened && answer?.kind !== 'bytes' && answer?.kind !== 'anything') refuseStreams(route);
}

function nameOf({ method, url }: RouteOptions): string {
  return `${[method].flat().join('|')} ${url}`;
}

function writerFor(answer: DeclaredAnswer | undefined, route: string, binding: Binding): Writer {
  const { hardened, strippedFields, explained } = binding;
  const terms = { isHardened: hardened };
  if (answer?.kind === 'class') {
    const { type, options } = answer;
    const { write, explain } = classWriter(answer, binding);
    if (!route.startsWith('HEAD ')) explained.push({ route, explain });
    return strippedFields?.watch(route, strippedFieldsNames(type, options, terms), write) ?? write;
  }
  if (answer?.kind === 'anything' || !hardened) return undeclaredWriter(answer?.options, terms);
  return onlyText(() => new UndeclaredAnswerError(route));
}

function classWriter(answer: ClassAnswer, { hardened, writers }: Binding): AnswerWriter {
  const { type, options, isOpen } = answer;
  const isSealed = hardened && !isOpen;
  const writer = writers.get(answer) ?? writerOf(type, options, { isHardened: hardened, isSealed });
  writers.set(answer, writer);
  return writer;
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
  const checkPayload = (_: FastifyRequest, __: FastifyReply, payload: unknown, done: SendDone) => {
    const isStream = typeof payload === 'object' && payload !== null && !Buffer.isBuffer(payload);
    if (isStream) done(new UndeclaredAnswerError(nameOf(route), 'a stream'));
    else done(null, payload);
  };
  route.onSend = [checkPayload, ...[route.onSend ?? []].flat()];
}

type SendDone = (error: Error | null, payload?: unknown) => void;
