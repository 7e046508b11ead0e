import { problemOfStatus, type ProblemType } from '@app/http-errors';
import { STATUS_CODES } from 'node:http';
import type { JsonSchema } from '@app/engine';
import type { Components } from '../components';
import { type ErrorForm, problemIn } from '../error-form';
import { type DeclaredError, errorResponsesOf } from '../error-responses';
import { declaredProblems, isProblemClass } from '../problems';
import { exampleOf } from '../examples/example';
import {
  addProblemSchemas,
  type DescribedProblems,
  exampleOfProblem,
  oneOfProblems,
} from './problem-schemas';
import type { RouteDescription } from '../route-description';
import type { Part } from './part';

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is invalid; the message lists the faults.',
  401: 'Valid credentials are missing. Every cause has the same body.',
  403: "The caller lacks a requirement, which the problem's `code` names, or the account is disabled.",
  404: 'The resource is missing, or hidden from the caller.',
  409: 'The request conflicts with the current state, such as a value that is already taken.',
  412: 'The resource was changed since the `ETag` of `If-Match`.',
  413: 'The body is larger than 100 KiB, or a file is larger than the route accepts.',
  415: 'The route does not accept the media type of the body or of a file.',
  422: 'The request is well-formed, but cannot be processed, such as a form without its file, or with the `Idempotency-Key` of a different request.',
  428: 'The header `If-Match` is missing.',
  429: 'Too many requests or failed attempts; see `Retry-After`.',
  503: 'The service is temporarily unavailable or overloaded; see `Retry-After`.',
};

const challenge = {
  'WWW-Authenticate': {
    description: 'The authentication scheme, and for a missing scope the scopes that are needed.',
    schema: { type: 'string' },
  },
};
const retryIfInProgress = {
  'Retry-After': {
    description: 'Seconds to wait, if a request with the same `Idempotency-Key` is in progress.',
    schema: { type: 'integer', minimum: 1 },
  },
};
const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
    required: true,
  },
};

/** A route's error responses, by status; `default` is any error that every route can have. */
export function errorResponses(
  route: RouteDescription,
  components: Components,
  shared: DescribedProblems['shared'],
  form: ErrorForm,
): Record<string, Part> {
  const sharedCodes = new Set(shared.map(({ code }) => code));
  const own = declaredProblems(route)
    .filter(({ code }) => !sharedCodes.has(code))
    .map((problem) => problemIn(form, problem));
  const statuses = [
    ...new Map(errorsOf(route, form).map((error) => [statusOf(error, form), error])),
  ].toSorted(([left], [right]) => left - right);
  const responses = statuses.map(([status, error]) => {
    const more = own.filter((problem) => problem.status === status);
    return [status, responseFor(status, error, components, more, shared, form)];
  });
  return { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Other' } };
}

/** The schemas and responses of errors, shared by all routes. */
export function sharedResponses(
  form: ErrorForm,
  problems: DescribedProblems,
  components: Components,
): Record<string, Part> {
  const bodies = form.own
    ? [components.response(form.own.body, { groups: [] })]
    : specifiedBodies(form, components);
  addProblemSchemas(problems, components);
  const entries = Object.entries(descriptions).map(([text, description]) => {
    const status = Number(text);
    const content = contentOf(status, withStatus(status, problems.shared), form, components);
    return [
      nameOf(status),
      { description: describedIn(form, status, description), headers: headersOf(status), content },
    ];
  });
  const rest = problems.shared.filter(({ status }) => descriptions[status] === undefined);
  const fallback = {
    description: 'Any other error.',
    content: {
      'application/json': {
        schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies },
        ...(!form.own && { examples: examplesOf(rest, '') }),
      },
      ...inProblemForm(problems.shared, rest),
    },
  };
  return { ...Object.fromEntries(entries), Other: fallback };
}

/** The bodies that any error can have. */
function specifiedBodies(form: ErrorForm, components: Components): JsonSchema[] {
  const error = components.add('ErrorBody', errorBody);
  const unauthorized = components.add('Unauthorized', unauthorizedBody);
  components.add('InvalidInput', invalidBody(form, error));
  return [error, unauthorized];
}

/** Returns the description. Invalid values may have a different status than a body with malformed JSON. */
function describedIn({ own }: ErrorForm, status: number, description: string): string {
  const invalid = own?.status?.invalid ?? 400;
  if (invalid === 400) return description;
  if (status === 400) return 'The request cannot be read.';
  return status === invalid ? `${description} Values that violate a rule have this status too.` : description;
}

function withStatus(status: number, problems: readonly ProblemType[]): readonly ProblemType[] {
  return problems.filter((problem) => problem.status === status);
}

/** The body in both forms; `Accept` chooses. */
function contentOf(
  status: number,
  problems: readonly ProblemType[],
  form: ErrorForm,
  components: Components,
): Part {
  if (form.own)
    return { ...json(components.response(form.own.body, { groups: [] })), ...inProblemForm(problems) };
  const name = status === 400 ? 'InvalidInput' : status === 401 ? 'Unauthorized' : 'ErrorBody';
  const schema = { $ref: `#/components/schemas/${name}` };
  const examples = examplesOf(problems, '');
  return { 'application/json': { schema, examples }, ...inProblemForm(problems) };
}

function inProblemForm(problems: readonly ProblemType[], shown = problems): Part {
  const examples = examplesOf(shown, '.problem');
  return { 'application/problem+json': { schema: oneOfProblems(problems), examples } };
}

/** Returns references to the {@link errorExamples} of several kinds. */
function examplesOf(problems: readonly ProblemType[], form: '' | '.problem'): Part {
  const references = problems.map(({ code }) => [code, { $ref: `#/components/examples/${code}${form}` }]);
  return Object.fromEntries(references);
}

/** Returns an example for each error kind, by code, in both forms. */
export function errorExamples(problems: readonly ProblemType[], form: ErrorForm): Record<string, Part> {
  const examples = problems.flatMap((problem): [string, Part][] => {
    const { code, title: summary } = problem;
    const inForm: [string, Part] = [`${code}.problem`, { summary, value: exampleOfProblem(problem) }];
    return form.own ? [inForm] : [[code, { summary, value: exampleOfBody(problem, form) }], inForm];
  });
  return Object.fromEntries(examples);
}

function exampleOfBody({ code, status, title }: ProblemType, form: ErrorForm): unknown {
  if (status === 401) return { statusCode: 401, message: 'Unauthorized' };
  if (code === 'invalid-input')
    return exampleOf({ type: 'object', properties: validationErrorProperties(form) }, {});
  return { statusCode: status, message: title, error: STATUS_CODES[status] ?? 'Error' };
}

/** Returns the errors from validation and the guard, and the errors that the handler declares. */
function errorsOf(route: RouteDescription, form: ErrorForm): readonly DeclaredError[] {
  const { callers, body, upload, query, params, path } = route;
  const handler: object = Reflect.get(route.controller.prototype, route.handler);
  return [
    ...((upload ?? body) ? [400] : []),
    ...((upload ?? body ?? query ?? params) ? [form.own?.status?.invalid ?? 400] : []),
    // A strategy may find a disabled account, or an unavailable store.
    ...(callers.isPublic && callers.strategies.length === 0 ? [] : [401, 403, 503]),
    ...(path.includes(':') ? [404] : []),
    ...((upload ?? body) ? [413, 415] : []),
    ...(upload ? [422, 503] : []),
    ...(route.isIdempotent ? [400, 409, 422] : []),
    ...(route.ifMatch ? [412] : []),
    ...(route.ifMatch === 'required' ? [428] : []),
    ...(typeof route.rate === 'object' ? [429] : []),
    ...errorResponsesOf(handler),
  ];
}

function statusOf(error: DeclaredError, form: ErrorForm): number {
  if (typeof error === 'number') return problemIn(form, problemOfStatus(error)).status;
  return isProblemClass(error) ? problemIn(form, error.problem).status : error[0];
}

/** @param own the error kinds with this status that only handlers declare */
function responseFor(
  status: number,
  error: DeclaredError,
  components: Components,
  own: readonly ProblemType[],
  shared: readonly ProblemType[],
  form: ErrorForm,
): Part {
  const hasBody = typeof error !== 'number' && !isProblemClass(error);
  const description = descriptions[status];
  if (!hasBody && own.length === 0 && description !== undefined)
    return { $ref: `#/components/responses/${nameOf(status)}` };
  const content = hasBody
    ? json(components.response(error[1], { groups: [] }))
    : contentOf(status, [...own, ...withStatus(status, shared)], form, components);
  return { description: description ?? 'An error.', headers: headersOf(status), content };
}

function nameOf(status: number): string {
  return `Status${status}`;
}

function headersOf(status: number): Part {
  if (status === 401 || status === 403) return challenge;
  if (status === 409) return retryIfInProgress;
  return status === 429 || status === 503 ? retryAfter : {};
}

function json(schema: JsonSchema): Part {
  return { 'application/json': { schema } };
}

const errorBody = {
  type: 'object',
  properties: {
    statusCode: { type: 'integer', examples: [404] },
    message: { type: 'string', examples: ['there is no item 42'] },
    error: { type: 'string', examples: ['Not Found'] },
    requestId: {
      type: 'string',
      description: 'The id of the request, for the operator to find its log entry. Only with status 500.',
      examples: ['7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a'],
    },
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

const messages = {
  type: 'array',
  items: { type: 'string', examples: ['email must be an email'] },
  maxItems: 50,
};

/** Returns the body for validation errors, or for a request that could not be parsed. */
function invalidBody(form: ErrorForm, unreadable: JsonSchema): JsonSchema {
  const properties = validationErrorProperties(form);
  const required = Object.keys(properties);
  return { anyOf: [{ type: 'object', properties, required, additionalProperties: false }, unreadable] };
}

function validationErrorProperties({ ERROR_SHAPE, ERROR_MESSAGES }: ErrorForm): Record<string, JsonSchema> {
  const [statusCode, error] = [{ const: 400 }, { const: 'Bad Request' }];
  if (ERROR_SHAPE === 'list') {
    return ERROR_MESSAGES === 'on'
      ? { statusCode, message: messages, error }
      : { statusCode, message: error };
  }
  const field = {
    type: 'object',
    properties: { field: { type: 'string', examples: ['email'] }, messages },
    required: ['field', 'messages'],
    additionalProperties: false,
  };
  const most = ERROR_MESSAGES === 'on' ? 50 : 0;
  return { statusCode, error, details: { type: 'array', items: field, maxItems: most } };
}
