import { isObject } from '../../shapes/values';
/*
 * Private members of Fastify 4 and 5: the symbols `fastify.context`, `fastify.reply.serializer` and `fastify.replySerializerDefault`. Fastify
 * has no public way to tell whether a reply has a serializer. Gain: a compiled text is sent without being parsed again; it was not timed alone. Without the
 * symbols: the value is sent, and Fastify writes it.
 */

/** The members of Fastify's reply that are used here. */
interface Reply {
  serializer(write: () => string): unknown;
  hasHeader(name: string): boolean;
  header(name: string, value: string): unknown;
  readonly request: { readonly routeOptions?: { readonly schema?: { readonly response?: unknown } } };
}

/** The members of Express's response that are used here. */
interface Response {
  json: (body: unknown) => unknown;
  send(text: string): unknown;
  get(name: string): unknown;
  set(name: string, value: string): unknown;
  readonly app: { get(setting: string): unknown };
}

/**
 * Makes a response send a text as the JSON for the next value that is sent, with the same headers.
 *
 * @returns `false` if the program writes JSON in its own way or has a different media type; the response stays unchanged then
 */
export function sendsText(response: object, text: string): boolean {
  if (isReply(response)) return viaReply(response, text);
  return isResponse(response) && viaResponse(response, text);
}

function viaReply(reply: Reply, text: string): boolean {
  const isWritten = reply.request.routeOptions?.schema?.response !== undefined;
  if (isWritten || hasOwnSerializer(reply) || reply.hasHeader('content-type')) return false;
  reply.header('content-type', 'application/json; charset=utf-8');
  reply.serializer(() => text);
  return true;
}

/**
 * Whether the program has a hook that changes replies, its own serializer (global or per handler), or an unknown Fastify
 * version.
 */
function hasOwnSerializer(reply: Reply): boolean {
  const context = bySymbol('fastify.context', reply.request);
  if (!isObject(context) || bySymbol('fastify.reply.serializer', reply)) return true;
  return Boolean(
    Reflect.get(context, 'preSerialization') ?? bySymbol('fastify.replySerializerDefault', context),
  );
}

/** Returns the value under a Fastify symbol with a description that starts with `description`. */
function bySymbol(description: string, owner: object): unknown {
  const symbol = Object.getOwnPropertySymbols(owner).find((candidate) =>
    candidate.description?.startsWith(description),
  );
  return symbol && Reflect.get(owner, symbol);
}

function viaResponse(response: Response, text: string): boolean {
  const settings = ['json replacer', 'json spaces', 'json escape'];
  if (settings.some((name) => response.app.get(name)) || response.get('Content-Type') !== undefined)
    return false;
  response.json = () => {
    response.set('Content-Type', 'application/json');
    return response.send(text);
  };
  return true;
}

function isReply(response: object): response is Reply {
  return typeof Reflect.get(response, 'serializer') === 'function';
}

/** Excludes a response with a `json` method that the program has replaced. */
function isResponse(response: object): response is Response {
  return !Object.hasOwn(response, 'json') && typeof Reflect.get(response, 'json') === 'function';
}
