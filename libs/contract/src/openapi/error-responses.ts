import type { JsonSchema } from '@app/shapes';
import type { Components } from '../components';
import { type DeclaredError, errorResponsesOf } from '../error-responses';
import type { RouteDescription } from '../route-description';
import type { Part } from './part';

/** How much a caller is told about input that breaks rules: two settings of a program. */
export interface ErrorForm {
  readonly ERROR_SHAPE: 'list' | 'details';
  readonly ERROR_MESSAGES: 'on' | 'off';
}

const words: Readonly<Record<number, string>> = {
  400: 'What was sent breaks a rule; the message says which.',
  401: 'No valid credentials; says the same whatever the cause.',
  403: 'The caller is known and may not do this, or the account is disabled.',
  404: 'There is nothing here that this caller may know of.',
  409: 'What was asked stands against what is there already.',
  413: 'The body is longer than 100 KiB.',
  415: 'The body is no JSON in UTF-8.',
  429: 'Too many attempts have failed of late.',
  503: 'The service cannot do this at present.',
};

const challenge = {
  'WWW-Authenticate': { description: 'The scheme to sign in by.', schema: { type: 'string' } },
};
const patience = {
  'Retry-After': {
    description: 'When to try again, in seconds.',
    schema: { type: 'integer', minimum: 1 },
    required: true,
  },
};

/** The responses that a route can give instead of its own, by status; `default` is what any request can meet. */
export function errorResponses(route: RouteDescription, components: Components): Record<string, Part> {
  const statuses = [...new Map(errorsOf(route).map((one) => [statusOf(one), one]))].toSorted(
    ([one], [other]) => one - other,
  );
  return {
    ...Object.fromEntries(statuses.map(([status, one]) => [status, responseFor(status, one, components)])),
    default: { $ref: '#/components/responses/Other' },
  };
}

/** The bodies and responses of errors, which all routes share. */
export function sharedResponses(form: ErrorForm, components: Components): Record<string, Part> {
  const error = components.add('Error', errorBody);
  const unauthorized = components.add('Unauthorized', unauthorizedBody);
  const invalid = components.add('InvalidInput', invalidBody(form, error));
  const bodies = new Map([
    [400, invalid],
    [401, unauthorized],
  ]);
  const known = Object.entries(words).map(([status, description]) => [
    nameOf(Number(status)),
    { description, headers: headersOf(Number(status)), content: json(bodies.get(Number(status)) ?? error) },
  ]);
  const other = { description: 'Any other error.', content: json({ anyOf: [error, unauthorized] }) };
  return { ...Object.fromEntries(known), Other: other };
}

/** What stands before a handler can refuse, and what the handler says of itself. */
function errorsOf(route: RouteDescription): readonly DeclaredError[] {
  const { callers, body, query, params, path } = route;
  const handler: object = Reflect.get(route.controller.prototype, route.handler);
  return [
    ...((body ?? query ?? params) ? [400] : []),
    // A strategy may know an account that is disabled, or find out that nobody can tell at present.
    ...(callers.isPublic ? [] : [401, 403, 503]),
    ...(path.includes(':') ? [404] : []),
    ...(body ? [413, 415] : []),
    ...errorResponsesOf(handler),
  ];
}

function statusOf(error: DeclaredError): number {
  return typeof error === 'number' ? error : error[0];
}

function responseFor(status: number, error: DeclaredError, components: Components): Part {
  if (typeof error === 'number') return { $ref: `#/components/responses/${nameOf(status)}` };
  const body = components.answer(error[1], { groups: [] });
  return { description: words[status] ?? 'An error.', headers: headersOf(status), content: json(body) };
}

function nameOf(status: number): string {
  return `Status${status}`;
}

function headersOf(status: number): Part {
  if (status === 401) return challenge;
  return status === 429 || status === 503 ? patience : {};
}

function json(schema: JsonSchema): Part {
  return { 'application/json': { schema } };
}

const errorBody = {
  type: 'object',
  properties: {
    statusCode: { type: 'integer' },
    message: { type: 'string' },
    error: { type: 'string' },
    requestId: { type: 'string', description: 'The id of the request, as the log has it.' },
  },
  required: ['statusCode', 'message', 'error'],
  additionalProperties: false,
};

const unauthorizedBody = {
  type: 'object',
  properties: { statusCode: { const: 401 }, message: { const: 'Unauthorized' } },
  required: ['statusCode', 'message'],
  additionalProperties: false,
};

const messages = { type: 'array', items: { type: 'string' }, maxItems: 50 };

/** Input that breaks rules, or a request that could not be read at all. */
function invalidBody(form: ErrorForm, unreadable: JsonSchema): JsonSchema {
  const properties = brokenRules(form);
  const required = Object.keys(properties);
  return { anyOf: [{ type: 'object', properties, required, additionalProperties: false }, unreadable] };
}

function brokenRules({ ERROR_SHAPE, ERROR_MESSAGES }: ErrorForm): Record<string, JsonSchema> {
  const [statusCode, error] = [{ const: 400 }, { const: 'Bad Request' }];
  if (ERROR_SHAPE === 'list') {
    return ERROR_MESSAGES === 'on'
      ? { statusCode, message: messages, error }
      : { statusCode, message: error };
  }
  const field = {
    type: 'object',
    properties: { field: { type: 'string' }, messages },
    required: ['field', 'messages'],
    additionalProperties: false,
  };
  const most = ERROR_MESSAGES === 'on' ? 50 : 0;
  return { statusCode, error, details: { type: 'array', items: field, maxItems: most } };
}
