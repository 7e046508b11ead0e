/*
 * Private members of Fastify 4 and 5: the symbols `fastify.context`, `fastify.reply.serializer` and `fastify.replySerializerDefault`. Fastify
 * has no public way to tell whether a reply has a serializer. Gain: a compiled text is sent without being parsed again; it was not timed alone. Without the
 * symbols: the value is sent, and Fastify writes it.
 */

/** Fastify's reply, as far as it is used here. */
interface Reply {
  serializer(write: () => string): unknown;
  hasHeader(name: string): boolean;
  header(name: string, value: string): unknown;
  readonly request: { readonly routeOptions?: { readonly schema?: { readonly response?: unknown } } };
}

/** Express's response, as far as it is used here. */
interface Response {
  json: (body: unknown) => unknown;
  send(text: string): unknown;
  get(name: string): unknown;
  set(name: string, value: string): unknown;
  readonly app: { get(setting: string): unknown };
}

/**
 * Makes a response send a text as the JSON of the value that is sent by it next: it has the same headers.
 *
 * @returns `false` if the program has its own way to write JSON, or another media type: then nothing is changed
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

/** A hook that changes what is sent, a serializer of the program or of the handler, or a Fastify that is not known. */
function hasOwnSerializer(reply: Reply): boolean {
  const context = bySymbol('fastify.context', reply.request);
  if (typeof context !== 'object' || context === null || bySymbol('fastify.reply.serializer', reply))
    return true;
  return Boolean(
    Reflect.get(context, 'preSerialization') ?? bySymbol('fastify.replySerializerDefault', context),
  );
}

/** What an object has by a symbol of Fastify, whose description begins so. */
function bySymbol(description: string, owner: object): unknown {
  const symbol = Object.getOwnPropertySymbols(owner).find((one) => one.description?.startsWith(description));
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

/** A response whose `json` was replaced by something of the program is left alone. */
function isResponse(response: object): response is Response {
  return !Object.hasOwn(response, 'json') && typeof Reflect.get(response, 'json') === 'function';
}
