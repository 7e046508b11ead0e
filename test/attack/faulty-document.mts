const text = { type: 'string' };
const bearer = [{ jwt: [] }];
const whole = (maximum?: number) => ({ type: 'integer', minimum: 1, ...(maximum && { maximum }) });

/** An object with these members, all required unless named, and no others. */
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
const tokens = object({ access_token: text, refresh_token: text });
const order = object({ items: { type: 'array', items: text }, price: { type: 'integer', minimum: 0 } }, [
  'price',
]);
const account = object({
  email: { ...text, format: 'email' },
  password: { ...text, minLength: 8, maxLength: 256 },
});
const paging = [
  { name: 'limit', in: 'query', schema: whole(100) },
  { name: 'page', in: 'query', schema: whole() },
];
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } }];

/** The OpenAPI document of the faulty service. */
export const document = {
  openapi: '3.1.0',
  info: { title: 'A service with chosen faults', version: '1.0.0' },
  components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/health': { get: operation(undefined, object({ status: text })) },
    '/login': { post: operation(credentials, object({ access_token: text })) },
    '/users': { post: operation(account, object({ ok: { type: 'boolean' } })) },
    '/sessions': { post: operation(credentials, tokens) },
    '/refresh': { post: operation(object({ refresh_token: text }), tokens) },
    '/me': { get: operation(undefined, object({ id: { type: 'integer' } }), { security: bearer }) },
    '/orders': {
      get: operation(undefined, { type: 'array', items: order }, { security: bearer, parameters: paging }),
      post: operation(order, order, { security: bearer }),
    },
    '/orders/{id}': { get: operation(undefined, order, { security: bearer, parameters: id }) },
  },
};
