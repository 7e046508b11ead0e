import { isCallerFactory } from '@app/auth';
import type { ValidationPipe } from '@app/engine';
import type { ArgumentMetadata } from '@nestjs/common';
import {
  PARAMTYPES_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
} from '@nestjs/common/internal';
import { type ArgumentSlot, readAll, type ReadArgument, type ReadArguments } from '../routes/route-arguments';
import { transactionOf } from '../routes/request-transaction';
import { isTransactionFactory } from '../routes/transaction.decorator';

/** The metadata that a parameter decorator recorded. */
interface Declared {
  readonly index: number;
  readonly data?: string;
  readonly pipes?: readonly unknown[];
  readonly schema?: ArgumentMetadata['schema'];
  readonly factory?: unknown;
}

/** The decorators that bypass the pipes, with the functions that read their values. */
const withoutPipe = new Map<number, (data: string | undefined) => ReadArgument | undefined>([
  [RouteParamtypes.REQUEST, (data) => (data === undefined ? (request) => request : undefined)],
  [RouteParamtypes.RESPONSE, () => (_request, reply) => reply],
  [RouteParamtypes.IP, () => (request) => request.ip],
  [RouteParamtypes.HEADERS, readHeader],
]);

/** The decorators that use the pipes, with their `ArgumentMetadata` type and the function that reads the value. */
const throughPipe = new Map<number, { readonly type: ArgumentMetadata['type']; readonly read: ReadArgument }>(
  [
    [RouteParamtypes.BODY, { type: 'body', read: ({ body }) => body }],
    [RouteParamtypes.QUERY, { type: 'query', read: ({ query }) => query }],
    [RouteParamtypes.PARAM, { type: 'param', read: ({ params }) => params }],
  ],
);

/**
 * Plans how a handler's arguments are read. The order and the pipe metadata are the same as Nest's.
 *
 * @returns `undefined` when a parameter needs something that only Nest provides
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
  if (sendsReplyItself(controller, method, Object.keys(declared))) return undefined;
  const slots: ArgumentSlot[] = [];
  for (const [key, parameter] of Object.entries(declared)) {
    const read = readerOf(key, parameter, types[parameter.index], pipe);
    if (read === undefined) return undefined;
    slots.push({ index: parameter.index, read, mayWait: !withoutPipe.has(kindOf(key)) });
  }
  return (request, reply) => readAll(slots, request, reply);
}

function readerOf(
  key: string,
  { data, pipes = [], schema, factory }: Declared,
  metatype: ArgumentMetadata['metatype'],
  pipe: ValidationPipe,
): ReadArgument | undefined {
  if (pipes.length > 0) return undefined;
  const kind = kindOf(key);
  const readDirectly = withoutPipe.get(kind);
  if (readDirectly) return readDirectly(data);
  const metadataOf = (type: ArgumentMetadata['type']): ArgumentMetadata => ({ metatype, type, data, schema });
  if (isCallerFactory(factory)) {
    const metadata = metadataOf('custom');
    return (request) => pipe.validateParameter((request as { readonly user?: unknown }).user, metadata);
  }
  if (isTransactionFactory(factory)) return transactionOf;
  const piped = throughPipe.get(kind);
  if (piped === undefined || data !== undefined) return undefined;
  const metadata = metadataOf(piped.type);
  return (request, reply) => pipe.validateParameter(piped.read(request, reply), metadata);
}

const replyKind: number = RouteParamtypes.RESPONSE;

/** Returns whether the handler sends the response itself, because it uses `@Res()` and not `passthrough`. */
function sendsReplyItself(controller: Function, method: string, keys: readonly string[]): boolean {
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
