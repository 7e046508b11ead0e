import { STATUS_CODES } from 'node:http';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import {
  boundedLists,
  onlyText,
  type ResponseWriter,
  UndeclaredResponseError,
  UndeclaredResponsesError,
  undeclaredWriter,
  type Writer,
  writerOf,
} from '@app/engine';
import { responseFindings, type ResponseRequirements } from './response-findings.discovery';
import { asCaller } from '../audiences/audience';
import { type WriterOf, writersByCaller } from '../audiences/writers-by-caller';
import { type Binding, bound } from './binding.discovery';
import { declaredResponse, handlerOf } from './declared-response.discovery';
import type { ClassResponse, DeclaredResponse } from './route-response';
import { type Handler, handlersOf } from './handlers.discovery';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declared response of the route. */
    response?: DeclaredResponse;
  }
}

/**
 * Makes every route send the response that `@Returns` and `@SerializeOptions` declare. The writer for a route is compiled once,
 * when the route is registered, so requests run no interceptor and read no metadata.
 *
 * The framework sends errors, strings, buffers, streams and empty responses unchanged. On an undeclared route, instances are
 * written by their class rules and plain objects are sent unchanged. With `hardened`, undeclared routes abort the start, and a
 * return value that contradicts its declaration is withheld.
 *
 * @param app before `app.init()`, which registers the routes
 * @throws UndeclaredResponsesError with a line per finding
 */
export function bindSerialization(app: NestFastifyApplication, settings: ResponseRequirements = {}): void {
  const handlers = handlersOf(app.get(ModulesContainer));
  assertNoFindings(handlers, settings);
  for (const handler of handlers) storeResponse(handler, handlers);
  const server = app.getHttpAdapter().getInstance();
  const binding: Binding = {
    hardened: settings.hardened,
    writers: new WeakMap(),
    writersByCaller: new WeakMap(),
    explained: [],
  };
  server.addHook('onRoute', (route) => bindRoute(route, binding));
  bound.set(app.getHttpAdapter(), binding);
}

/**
 * Returns the response writer that a handler's route uses for a caller.
 *
 * @param adapter the adapter of a program bound by {@link bindSerialization}
 * @throws TypeError if the handler declares no class
 */
export function responseWriterOf(
  adapter: object,
  controller: Function,
  name: string,
  caller?: unknown,
): Writer {
  const config: { response?: DeclaredResponse } | undefined = Reflect.getMetadata(
    FASTIFY_ROUTE_CONFIG_METADATA,
    handlerOf(controller, name),
  );
  const binding = bound.get(adapter);
  if (binding === undefined || config?.response?.kind !== 'class')
    throw new TypeError(`the response of ${controller.name}.${name} is not declared by a class`);
  return (
    callerWriters(config.response, binding)?.(asCaller(caller)) ?? classWriter(config.response, binding).write
  );
}

function assertNoFindings(handlers: readonly Handler[], terms: ResponseRequirements): void {
  const lines = handlers.flatMap(({ controller, name }) =>
    responseFindings(controller, name, terms).map(
      ({ code, problem, remedy }) => `${code} ${controller.name}.${name}: ${problem}. ${remedy}.`,
    ),
  );
  if (lines.length > 0) throw new UndeclaredResponsesError(lines);
}

/**
 * Stores the response for the adapter, which reads it when it registers the route. Two controllers that inherit the same method
 * share the response.
 */
function storeResponse({ controller, name }: Handler, all: readonly Handler[]): void {
  const handler = handlerOf(controller, name);
  const response = declaredResponse(controller, name);
  const twin = all.find(
    (candidate) =>
      handlerOf(candidate.controller, candidate.name) === handler &&
      !isSame(declaredResponse(candidate.controller, candidate.name), response),
  );
  if (twin !== undefined) {
    throw new UndeclaredResponsesError([
      `SLUICE-C208 ${controller.name}.${name}: ${twin.controller.name} inherits it too, and declares another response. Override it there.`,
    ]);
  }
  const config: object | undefined = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler);
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, response }, handler);
}

function isSame(left: DeclaredResponse, right: DeclaredResponse): boolean {
  const types = [left, right].map((response) => (response.kind === 'class' ? response.type : response.kind));
  return types[0] === types[1] && JSON.stringify(left) === JSON.stringify(right);
}

function bindRoute(route: RouteOptions, binding: Binding): void {
  const { schema } = route;
  if (schema?.response !== undefined) return;
  const response = route.config?.response;
  const writeAll = writerFor(response, nameOf(route), binding);
  const write = binding.hardened ? boundedLists(writeAll, nameOf(route)) : writeAll;
  const statuses = binding.hardened ? { '2xx': {}, default: {} } : { '2xx': {} };
  const otherWriters = response?.kind === 'class' ? otherWriter(response, binding) : {};
  route.schema = { ...schema, response: { ...statuses, ...otherWriters } };
  route.serializerCompiler = ({ httpStatus = '' }) =>
    otherWriters[httpStatus] ?? (httpStatus === 'default' ? withErrors(write) : write);
  if (response?.kind === 'class') addressResponses(route, response, binding);
  if (binding.hardened && response?.kind !== 'bytes' && response?.kind !== 'anything') rejectStreams(route);
}

function nameOf({ method, url }: RouteOptions): string {
  return `${[method].flat().join('|')} ${url}`;
}

function writerFor(response: DeclaredResponse | undefined, route: string, binding: Binding): Writer {
  const { hardened, explained } = binding;
  if (response?.kind === 'class') {
    const { write, explain } = classWriter(response, binding);
    if (!route.startsWith('HEAD ')) explained.push({ route, explain });
    return write;
  }
  if (response?.kind === 'anything' || !hardened)
    return undeclaredWriter(response?.options, { isHardened: hardened });
  return onlyText(() => new UndeclaredResponseError(route));
}

/** Returns the writer for the second success response, by status. */
function otherWriter({ otherwise, ...response }: ClassResponse, binding: Binding): Record<string, Writer> {
  if (otherwise === undefined) return {};
  return { [otherwise.status]: classWriter({ ...response, type: otherwise.type }, binding).write };
}

function classWriter(response: ClassResponse, { hardened, writers }: Binding): ResponseWriter {
  const { type, options, isOpen } = response;
  const isStrict = hardened && !isOpen;
  const writer = writers.get(response) ?? writerOf(type, options, { isHardened: hardened, isStrict });
  writers.set(response, writer);
  return writer;
}

/** Returns a response's writers by caller; `undefined` if its class has no audiences. */
function callerWriters(response: ClassResponse, binding: Binding): WriterOf | undefined {
  const existing = binding.writersByCaller.get(response);
  if (existing !== undefined) return existing;
  const writers = writersByCaller(
    response.type,
    response.options,
    (options) => classWriter({ ...response, options }, binding).write,
  );
  if (writers) binding.writersByCaller.set(response, writers);
  return writers;
}

/**
 * Writes a route's successful responses for their callers, if its classes have audiences. All other responses are written
 * for no audience.
 */
function addressResponses(route: RouteOptions, response: ClassResponse, binding: Binding): void {
  const { otherwise, ...usual } = response;
  const ofUsual = callerWriters(response, binding);
  const ofOther = otherwise && callerWriters({ ...usual, type: otherwise.type }, binding);
  if (ofUsual === undefined && ofOther === undefined) return;
  const name = nameOf(route);
  const addressPayload = (request: CalledRequest, reply: FastifyReply, payload: unknown, done: SendDone) => {
    const { statusCode } = reply;
    const isSuccess = statusCode >= 200 && statusCode < 300;
    const write = (statusCode === otherwise?.status ? ofOther : ofUsual)?.(asCaller(request.user));
    if (isSuccess && write !== undefined)
      reply.serializer(
        binding.hardened && statusCode !== otherwise?.status ? boundedLists(write, name) : write,
      );
    done(null, payload);
  };
  responseHooks.add(addressPayload);
  route.preSerialization = [...[route.preSerialization ?? []].flat(), addressPayload];
}

/** A request with the caller that the guard found. */
type CalledRequest = FastifyRequest & { readonly user?: unknown };

/**
 * Wraps a writer so that an error is reduced to its status. A row that is sent with a status other than 2xx is still written by
 * its class.
 */
function withErrors(write: Writer): Writer {
  return (sent) => {
    if (!(sent instanceof Error)) return write(sent);
    const statusCode: unknown = Reflect.get(sent, 'statusCode');
    return JSON.stringify({ statusCode, message: STATUS_CODES[Number(statusCode)] ?? 'Error' });
  };
}

const responseHooks = new WeakSet<Function>();

/** Returns whether {@link bindSerialization} added a hook to a route. The hook calls `done` before it returns. */
export function isResponseHook(hook: Function): boolean {
  return responseHooks.has(hook);
}

/** The framework sends the data of generators unchanged, before any hook sees it. */
function rejectStreams(route: RouteOptions): void {
  const checkPayload = (_: FastifyRequest, __: FastifyReply, payload: unknown, done: SendDone) => {
    const isStream = typeof payload === 'object' && payload !== null && !Buffer.isBuffer(payload);
    if (isStream) done(new UndeclaredResponseError(nameOf(route), 'a stream'));
    else done(null, payload);
  };
  responseHooks.add(checkPayload);
  route.onSend = [checkPayload, ...[route.onSend ?? []].flat()];
}

type SendDone = (error: Error | null, payload?: unknown) => void;
