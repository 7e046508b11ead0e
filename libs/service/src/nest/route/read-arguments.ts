import { isCallerFactory } from '@app/auth';
import { Rejected, type ValidationPipe } from '@app/validation';
import type { ArgumentMetadata } from '@nestjs/common';
import {
  PARAMTYPES_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
} from '@nestjs/common/internal';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Reads one argument of a handler; a promise where the pipe has to wait, {@link Rejected} where it refuses at once. */
type ReadArgument = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** All arguments of a handler, at once unless one has to be waited for; or why one is refused. */
type Arguments = unknown[] | Rejected | Promise<unknown[]>;

export type ReadArguments = (request: FastifyRequest, reply: FastifyReply) => Arguments;

/** What a parameter decorator wrote down. */
interface Declared {
  readonly index: number;
  readonly data?: string;
  readonly pipes?: readonly unknown[];
  readonly schema?: ArgumentMetadata['schema'];
  readonly factory?: unknown;
}

/** Decorators whose value goes to no pipe, and how it is read. */
const asTheyAre = new Map<number, (data: string | undefined) => ReadArgument | undefined>([
  [RouteParamtypes.REQUEST, (data) => (data === undefined ? (request) => request : undefined)],
  [RouteParamtypes.RESPONSE, () => (_request, reply) => reply],
  [RouteParamtypes.IP, () => (request) => request.ip],
  [RouteParamtypes.HEADERS, readHeader],
]);

/** Decorators whose value goes through the pipe: what they are called there, and how it is read when it is whole. */
const throughPipes = new Map<
  number,
  { readonly type: ArgumentMetadata['type']; readonly read: ReadArgument }
>([
  [RouteParamtypes.BODY, { type: 'body', read: ({ body }) => body }],
  [RouteParamtypes.QUERY, { type: 'query', read: ({ query }) => query }],
  [RouteParamtypes.PARAM, { type: 'param', read: ({ params }) => params }],
]);

/**
 * Plans how the arguments of a handler are read: in Nest's order, with what Nest tells its pipes.
 *
 * @returns `undefined` when a parameter asks for something that Nest alone can give
 */
export function argumentReader(
  controller: Function,
  method: string,
  pipe: ValidationPipe,
): ReadArguments | undefined {
  const declared: Record<string, Declared> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
  const types: readonly ArgumentMetadata['metatype'][] =
    Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, method) ?? [];
  if (answersByItself(controller, method, Object.keys(declared))) return undefined;
  const slots: Slot[] = [];
  for (const [key, one] of Object.entries(declared)) {
    const read = readerOf(key, one, types[one.index], pipe);
    if (read === undefined) return undefined;
    slots.push({ index: one.index, read, mayWait: !asTheyAre.has(kindOf(key)) });
  }
  return (request, reply) => readAll(slots, request, reply);
}

interface Slot {
  readonly index: number;
  readonly read: ReadArgument;
  /** Whether a promise is one: Fastify's reply looks like a promise of its own end. */
  readonly mayWait: boolean;
}

/** Nest lets all pipes begin before it looks at what one of them refuses. */
function readAll(slots: readonly Slot[], request: FastifyRequest, reply: FastifyReply): Arguments {
  const values: unknown[] = [];
  let refused: Rejected | undefined;
  let isWaiting = false;
  for (const { index, read, mayWait } of slots) {
    const value = readOrRefuse(read, request, reply);
    if (value instanceof Rejected) refused ??= value;
    else if (mayWait && isThenable(value)) isWaiting = true;
    values[index] = value;
  }
  return isWaiting ? waitFor(slots, values) : (refused ?? values);
}

function readOrRefuse(read: ReadArgument, request: FastifyRequest, reply: FastifyReply): unknown {
  try {
    return read(request, reply);
  } catch (error) {
    return new Rejected(error);
  }
}

/** The first that fails is told of; what was refused at once failed in its turn. */
function waitFor(slots: readonly Slot[], values: unknown[]): Promise<unknown[]> {
  const settled = slots.map(async ({ index, mayWait }) => {
    const value = values[index];
    if (value instanceof Rejected) throw value.error;
    if (mayWait) values[index] = await value;
  });
  return Promise.all(settled).then(() => values);
}

function readerOf(
  key: string,
  { data, pipes = [], schema, factory }: Declared,
  metatype: ArgumentMetadata['metatype'],
  pipe: ValidationPipe,
): ReadArgument | undefined {
  if (pipes.length > 0) return undefined;
  const kind = kindOf(key);
  const asItIs = asTheyAre.get(kind);
  if (asItIs) return asItIs(data);
  const metadata = (type: ArgumentMetadata['type']): ArgumentMetadata => ({ metatype, type, data, schema });
  if (isCallerFactory(factory)) {
    const told = metadata('custom');
    return (request) => pipe.validateParameter((request as { readonly user?: unknown }).user, told);
  }
  const whole = throughPipes.get(kind);
  if (whole === undefined || data !== undefined) return undefined;
  const told = metadata(whole.type);
  return (request, reply) => pipe.validateParameter(whole.read(request, reply), told);
}

const replyKind: number = RouteParamtypes.RESPONSE;

/** `@Res()` without `passthrough` leaves the answer to the handler. */
function answersByItself(controller: Function, method: string, keys: readonly string[]): boolean {
  const takesReply = keys.some((key) => kindOf(key) === replyKind);
  return takesReply && Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method) !== true;
}

function kindOf(key: string): number {
  return Number(key.split(':', 1)[0]);
}

function readHeader(data: string | undefined): ReadArgument | undefined {
  if (!data) return ({ headers }) => headers;
  const name = data.toLowerCase();
  return ({ headers }) => headers[name];
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
