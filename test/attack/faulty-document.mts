const text = { type: 'string' };
const anything = { type: 'object', additionalProperties: true };
const bearer = [{ jwt: [] }];
const bearerOrKey = [{ jwt: [] }, { key: [] }];
const whole = (maximum?: number) => ({ type: 'integer', minimum: 1, ...(maximum && { maximum }) });

/** Returns the schema of an object with exactly these members. Every member is required unless `optional` lists it. */
function object(properties: Record<string, object>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function json(schema: object) {
  return { content: { 'application/json': { schema } } };
}

function operation(body: object | undefined, answer: object, more: object = {}) {
  return { ...(body && { requestBody: json(body) }), responses: { 200: json(answer) }, ...more };
}

const credentials = object({ username: text, password: text });
const session = object({ username: text, password: text, transport: { ...text, enum: ['body', 'cookie'] } }, [
  'transport',
]);
const tokens = object({ access_token: text, refresh_token: text });
const order = object({ items: { type: 'array', items: text }, price: { type: 'integer', minimum: 0 } }, [
  'price',
]);
const account = object({
  email: { ...text, format: 'email' },
  password: { ...text, minLength: 8, maxLength: 256 },
});
const password = object({ password: { ...text, minLength: 8, maxLength: 256 } });
const done = object({ ok: { type: 'boolean' } });
const picture = {
  content: {
    'multipart/form-data': {
      schema: object({ picture: { ...text, format: 'binary', maxLength: 1_000_000 } }),
      encoding: { picture: { contentType: 'image/png' } },
    },
  },
};
const paging = [
  { name: 'limit', in: 'query', schema: whole(100) },
  { name: 'page', in: 'query', schema: whole() },
];
const named = [{ name: 'name', in: 'path', required: true, schema: text }];
const authorization = object({ url: text, request: text });
const completion = object({ request: text, code: text, state: text, iss: text }, ['iss']);
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } }];

/** The OpenAPI document of the faulty service. */
export const documentWith = (has: (fault: string) => boolean) => ({
  openapi: '3.1.0',
  info: { title: 'A service with chosen faults', version: '1.0.0' },
  components: {
    securitySchemes: {
      jwt: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    },
  },
  paths: {
    '/health': { get: operation(undefined, object({ status: text })) },
    '/login': { post: operation(credentials, object({ access_token: text })) },
    '/users': { post: operation(account, object({ ok: { type: 'boolean' } })) },
    '/sessions': { post: operation(session, tokens) },
    '/sessions/complete': {
      post: operation(
        object({ mfa_token: text, factor: text, code: text, credential: anything }, ['code', 'credential']),
        tokens,
      ),
    },
    '/factors/passkeys': { post: operation(undefined, object({ options: anything }), { security: bearer }) },
    '/factors/confirm': {
      post: operation(object({ credential: anything }), object({ id: text }), { security: bearer }),
    },
    '/factors/{id}': {
      delete: operation(undefined, done, {
        security: bearer,
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      }),
    },
    '/passkeys': {
      post: operation(object({ mfa_token: text }, ['mfa_token']), object({ options: anything })),
    },
    '/passkeys/complete': { post: operation(object({ credential: anything }), tokens) },
    '/codes': { post: operation(object({ email: { ...text, format: 'email' } }), object({ nonce: text })) },
    '/codes/complete': { post: operation(object({ nonce: text, code: text }), tokens) },
    '/providers/{name}/authorize': { post: operation(undefined, authorization, { parameters: named }) },
    '/providers/{name}/complete': { post: operation(completion, tokens, { parameters: named }) },
    '/providers/{name}/link': {
      post: operation(undefined, authorization, { parameters: named, security: bearer }),
    },
    '/providers/{name}/link/complete': {
      post: operation(completion, done, { parameters: named, security: bearer }),
    },
    '/refresh': { post: operation(object({ refresh_token: text }), tokens) },
    '/welcome': {
      get: operation(undefined, object({ id: { type: 'integer' } }, ['id']), {
        security: [{}, ...bearer],
      }),
    },
    '/me': {
      get: operation(undefined, object({ id: { type: 'integer' } }), { security: bearer }),
      delete: operation(undefined, done, {
        security: bearer,
        description: '403 unless the caller signed in within 15 minutes.',
      }),
    },
    '/logout': { post: operation(undefined, object({ ok: { type: 'boolean' } }), { security: bearer }) },
    '/keys': {
      get: operation(undefined, object({ items: { type: 'array' }, page: { type: 'integer' } }), {
        security: bearer,
      }),
      post: operation(undefined, object({ id: { type: 'integer' }, api_key: text }), { security: bearer }),
    },
    '/keys/{id}': {
      get: operation(undefined, object({ id: { type: 'integer' } }), { security: bearer, parameters: id }),
    },
    '/totp': {
      post: operation(undefined, object({ secret: text, uri: text, qr: text }, ['qr']), { security: bearer }),
    },
    '/totp/confirm': {
      post: operation(object({ code: text }), object({ recovery_codes: { type: 'array', items: text } }), {
        security: bearer,
      }),
    },
    '/users/{id}': {
      get: operation(undefined, object({ id: { type: 'integer' }, email: text }), {
        security: has('public-accounts') ? [] : bearer,
        parameters: id,
      }),
      patch: operation(object({ email: { ...text, format: 'email' } }), done, {
        security: bearer,
        parameters: id,
      }),
    },
    '/password': { put: operation(password, done, { security: bearer }) },
    '/password-resets': { post: operation(object({ email: { ...text, format: 'email' } }), done) },
    '/password-resets/complete': {
      post: operation(object({ token: text, password: { ...text, minLength: 8, maxLength: 256 } }), done),
    },
    '/email-changes/undo': {
      post: operation(object({ token: text, password: { ...text, minLength: 8, maxLength: 256 } }), done),
    },
    '/picture': {
      get: { responses: { 200: { content: { 'image/png': {} } } }, security: bearer },
      put: {
        ...operation(undefined, object({ bytes: { type: 'integer' } }), { security: bearer }),
        requestBody: picture,
      },
    },
    '/settings': {
      put: operation(undefined, object({ ok: { type: 'boolean' } }), {
        security: bearer,
        description: '403 unless the caller signed in within 15 minutes.',
      }),
    },
    '/orders': {
      get: operation(
        undefined,
        { type: 'array', items: order },
        { security: bearerOrKey, parameters: paging },
      ),
      post: operation(order, order, { security: bearer }),
    },
    '/orders/{id}': { get: operation(undefined, order, { security: bearer, parameters: id }) },
    '/orders/{id}/notes': {
      get: operation(undefined, { type: 'array', items: text }, { security: bearer, parameters: id }),
    },
    ...(has('unmade') && {
      '/projects': { post: operation(order, order, { security: bearer }) },
      '/projects/{id}': { get: operation(undefined, order, { security: bearer, parameters: id }) },
    }),
  },
});
