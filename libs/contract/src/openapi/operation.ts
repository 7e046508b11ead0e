import { STATUS_CODES } from 'node:http';
import type { ProblemType } from '@app/http-errors';
import type { Components } from '../components';
import type { ErrorForm } from '../error-form';
import { inputSchema, type Refer } from '../input/input-schema';
import type { NeededScopes, RouteCallers, RouteInput, RouteDescription } from '../route-description';
import type { Part } from './part';
import { type Describe, membersOf, summarized } from '../descriptions';
import { type Deprecation, deprecationText } from '../deprecation';
import { errorResponses } from './error-responses';
import { formBody } from './form-body';
import {
  conditionalRequestHeaders,
  conditionalResponseHeaders,
  notModifiedResponse,
  pageHeaders,
} from './conditional-headers';
import { exampleOf } from '../examples/example';
import { withExample } from '../examples/member-example';
import { tagOf } from '../tags';

type SecuritySchemes = Readonly<Record<string, Part>>;

/**
 * Returns an operation, which is a method on a path.
 *
 * @param errors the error kinds that any route can have, and their form
 * @param schemes the security schemes by strategy name
 */
export function operation(
  route: RouteDescription,
  id: string,
  components: Components,
  errors: { readonly shared: readonly ProblemType[]; readonly form: ErrorForm },
  schemes: SecuritySchemes,
): Part {
  const { callers } = route;
  const parameters = [
    ...parametersOf(route, 'path', components),
    ...plainParameters(route),
    ...parametersOf(route, 'query', components),
    ...conditionalRequestHeaders(route),
  ];
  return {
    operationId: id,
    tags: [tagOf(route)],
    ...describedAs(route, components.describe),
    security: securityOf(callers, schemes),
    ...extensionsOf(callers),
    ...(route.deprecation && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(route, components),
    responses: {
      [route.status]: success(route, components),
      ...otherSuccess(route, components),
      ...notModifiedResponse(route),
      ...errorResponses(route, components, errors.shared, errors.form),
    },
  };
}

/** Returns the operation name: `usersReadOne` for `UsersController.readOne`. */
export function operationName({ controller, handler }: RouteDescription): string {
  const owner = controller.name.replace(/Controller$/, '');
  return owner.charAt(0).toLowerCase() + owner.slice(1) + handler.charAt(0).toUpperCase() + handler.slice(1);
}

/** Returns the route key, such as `GET /posts`. */
function keyOf({ method, path }: RouteDescription): string {
  return `${method} ${path}`;
}

/** Describes a handler. The first sentence in its TSDoc is the summary, or else its name. */
function describedAs(route: RouteDescription, describe: Describe): Part {
  const { controller, handler, callers, body, query, deprecation } = route;
  const text = describe({ key: keyOf(route), type: controller, member: handler });
  const { summary, rest } = summarized(text ?? summaryOf(route));
  const description = [
    rest,
    deprecation && deprecationText(deprecation),
    query && 'Other query parameters are rejected with 400.',
    body?.stripsUnknown && 'Other members of the body are removed.',
    callers.scopes?.needed.length && scopesText(callers.scopes),
    ...(callers.facets ?? []).map((facet) => facet.description),
    callers.isBeforePasswordChange && 'Callers who must change their password may use this route.',
  ]
    .filter(Boolean)
    .join(' ');
  return {
    summary: plainText(callers.roles ? `${summary} (${callers.roles.join(' or ')})` : summary),
    ...(description !== '' && { description }),
  };
}

/** Pages show summaries as they are, without Markdown. */
function plainText(summary: string): string {
  return summary.replaceAll('`', '');
}

function scopesText({ needed, strategies }: NeededScopes): string {
  return `A caller by \`${strategies.join('` or `')}\` who is restricted to scopes needs \`${needed.join('` and `')}\`.`;
}

function summaryOf({ handler, controller }: RouteDescription): string {
  const [owner, action] = [controller.name.replace(/Controller$/, ''), handler].map(spaced);
  const text = verbs.has(handler) ? `${action} ${owner}` : `${owner}: ${action}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The handler names that form a sentence with the controller name: `List users`. */
const verbs = new Set(['list', 'read', 'create', 'update', 'change', 'rename', 'remove', 'open', 'end']);

/** Converts `ApiKeys` to `api keys`. */
function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/**
 * Returns the security requirements. Any strategy is sufficient, and each strategy has the roles. Scopes are omitted, because
 * callers without scopes are unrestricted. An empty list means that the route has no caller. An empty first member means that
 * the caller is optional. An empty last member means that a strategy has no described requirement.
 */
function securityOf({ isPublic, strategies, roles = [] }: RouteCallers, schemes: SecuritySchemes): Part[] {
  const described = strategies.filter((name) => name in schemes).map((name) => ({ [name]: roles }));
  if (isPublic) return described.length > 0 ? [{}, ...described] : [];
  return described.length < strategies.length ? [...described, {}] : described;
}

/** Returns the facets with a list of accepted values as extensions: `x-members: [admin, owner]`. */
function extensionsOf({ facets = [] }: RouteCallers): Part {
  const lists = facets.filter(({ value }) => Array.isArray(value));
  return Object.fromEntries(lists.map(({ name, value }) => [`x-${name}`, value]));
}

function parametersOf(route: RouteDescription, place: 'path' | 'query', components: Components): Part[] {
  const input = place === 'path' ? route.params : route.query;
  if (!input) return [];
  const describe = membersOf(components.describe, input.type, `${keyOf(route)} ${place}`);
  const refer: Refer = (part, variant) => components.input(part, input.groups, variant);
  const { properties, required = [] } = inputSchema(input.type, input.groups, refer, describe, {
    isText: true,
  });
  return Object.entries(properties).map(([name, part]) => {
    const { description, ...schema } = part;
    const isRequired = place === 'path' || required.includes(name);
    // Pages fill in examples: a filter that nobody asked for would be sent.
    const exampled = isRequired ? withExample(schema, name, route.path.split('/')[1] ?? '') : schema;
    return { name, in: place, required: isRequired, description, schema: exampled };
  });
}

/** Returns the path parameters that a handler reads individually, as plain strings. */
function plainParameters({ path, params }: RouteDescription): Part[] {
  if (params) return [];
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function bodyOf(route: RouteDescription, components: Components): Part {
  const { body, upload } = route;
  if (upload) return { requestBody: formBody(upload, body, components, keyOf(route)) };
  return body ? { requestBody: requestBody(body, components) } : {};
}

/** A body without required properties may be missing. */
function requestBody({ type, groups, stripsUnknown }: RouteInput, components: Components): Part {
  const schema = components.input(type, groups, undefined, stripsUnknown);
  const { required = [] } = inputSchema(type, groups, () => ({}));
  const example = exampleOf(schema, components.all());
  return {
    required: required.length > 0,
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

/** The header fields of a route with a rate limit. */
const rateHeaders = {
  'RateLimit-Policy': {
    description: 'The limit: its name, quota and window in seconds.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: "The policy's name, remaining requests and seconds until the reset.",
    schema: { type: 'string' },
  },
};

/** Returns a deprecated route's header fields, besides the link to its documentation. */
function deprecationHeaders({ sunset }: Deprecation): Part {
  return { Deprecation: deprecationField, ...(sunset !== undefined && { Sunset: sunsetField }) };
}

const deprecationField = {
  description: 'The time since which the route is deprecated (RFC 9745).',
  schema: { type: 'string' },
};
const sunsetField = {
  description: 'The time at which the route stops to work (RFC 8594).',
  schema: { type: 'string' },
};

/** The header field of a created resource. */
const createdHeaders = {
  Location: {
    description: 'The path to the created resource.',
    schema: { type: 'string', format: 'uri-reference' },
  },
};

function success(route: RouteDescription, components: Components): Part {
  const headers = {
    ...(route.deprecation && deprecationHeaders(route.deprecation)),
    ...(typeof route.rate === 'object' && rateHeaders),
    ...(route.response?.shape === 'page' && pageHeaders),
    ...(route.status === 201 && route.method === 'POST' && createdHeaders),
    ...conditionalResponseHeaders(route),
  };
  return { ...successful(route, components), ...(Object.keys(headers).length > 0 && { headers }) };
}

function otherSuccess({ response, mediaTypes }: RouteDescription, components: Components): Part {
  if (response?.otherwise === undefined) return {};
  const { status, type } = response.otherwise;
  const schema = components.response(type, response);
  return {
    [status]: {
      description: STATUS_CODES[status] ?? 'Success',
      content: contentOf(mediaTypes, schema),
    },
  };
}

function successful({ response, mediaTypes, status }: RouteDescription, components: Components): Part {
  const description = status === 204 ? 'The response is empty.' : (STATUS_CODES[status] ?? 'Success');
  if (mediaTypes.length === 0) return { description };
  if (!response) {
    const isText = mediaTypes.every((type) => type.split(';', 1)[0] === 'text/plain');
    return { description, content: contentOf(mediaTypes, isText ? { type: 'string' } : {}) };
  }
  const body = components.response(response.body, response);
  const schema = response.shape === 'list' ? { type: 'array', items: body } : body;
  return { description, content: contentOf(mediaTypes, schema) };
}

/** Returns the content by media type. The media type has no parameters, as in OpenAPI documents. */
function contentOf(mediaTypes: readonly string[], schema: Part): Part {
  return Object.fromEntries(mediaTypes.map((type) => [type.split(';', 1)[0], { schema }]));
}
