import { rateText } from '@app/settings';
import { acceptedFiles, acceptedMembers } from './accepted-members';
import type { OpenApiDocument } from '../openapi/document';
import type { RouteCallers, RouteDescription, RouteFacet } from '../route-description';
import { sentMembers } from './sent-members';

/** A route's audience, widest first. For `owner` the handler decides by the caller, and serves the caller's own data. */
export type Audience = 'anyone' | 'user' | 'owner' | 'administrator';

/** A route's input and output, in a form that is the same on every machine. */
export interface RouteExposure {
  readonly audience: Audience;
  /** The strategies that find the caller; on public routes, the strategies for an optional caller. */
  readonly strategies: readonly string[];
  /** The roles that may call the route; empty if all roles may. */
  readonly roles: readonly string[];
  /** The scopes that a restricted caller needs, all together; missing if no strategy has restricted callers. */
  readonly scopes?: readonly string[];
  /** The rate limit per caller, such as `10/1m`; missing if the route has no own limit. */
  readonly rateLimit?: string;
  /** The scheme by which senders sign their requests; missing if the route verifies no signature. */
  readonly signedBy?: string;
  /** The day since which the route is deprecated; missing if it is not deprecated. */
  readonly deprecated?: string;
  /** The day on which a deprecated route stops to work; missing without that day. */
  readonly sunset?: string;
  /** The value `allowed` if a caller who must change the password may call the route; otherwise missing. */
  readonly beforePasswordChange?: 'allowed';
  /** The value `stripped` if the route removes a body's unknown members; missing if it rejects them. */
  readonly unknownMembers?: 'stripped';
  /** Every accepted member's rules, by its path: `body.items[].sku`. */
  readonly accepts: Readonly<Record<string, readonly string[]>>;
  /** Every sent member's path: `items[].id`. */
  readonly sends: readonly string[];
  /** The sent members' audiences, by path; missing if every member is sent to every caller. */
  readonly audiences?: Readonly<Record<string, readonly string[]>>;
  /** The document schemas that describe the input and the success response; missing if there are no schemas. */
  readonly schemas?: readonly string[];
  /** The facet values by name; missing if the route lacks the facet. */
  readonly [facet: string]: unknown;
}

/** A program's exposure, by route: `GET /users/:id`. Its {@link acrossTenantsEntry} is no route. */
export type Exposure = Readonly<Record<string, RouteExposure>>;

/** The name of the entry with the reasons for statements on the rows of all tenants. It is absent without such statements. */
export const acrossTenantsEntry = 'acrossTenants';

/**
 * Lists the input, the output and the callers of a program's routes.
 *
 * @param document names the route schemas, on which generated clients depend
 * @param acrossTenants the reasons for statements on the rows of all tenants
 */
export function exposureOf(
  routes: readonly RouteDescription[],
  document?: OpenApiDocument,
  acrossTenants: readonly string[] = [],
): Exposure {
  const exposures = routes.map((route): [string, RouteExposure] => {
    const schemas = document ? schemasOf(route, document) : [];
    return [nameOf(route), { ...exposed(route), ...(schemas.length > 0 && { schemas }) }];
  });
  if (acrossTenants.length > 0) exposures.push([acrossTenantsEntry, acrossTenantsFor(acrossTenants)]);
  return Object.fromEntries(exposures);
}

/** Returns the entry for reasons, as a route that nobody calls. */
export function acrossTenantsFor(reasons: readonly string[]): RouteExposure {
  const nothing = { strategies: [], roles: [], accepts: {}, sends: [] };
  return { audience: 'administrator', ...nothing, reasons: reasons.toSorted() };
}

function schemasOf(
  { method, path, status, response }: RouteDescription,
  document: OpenApiDocument,
): string[] {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const responses: Readonly<Record<string, unknown>> = Object(operation?.['responses']);
  const names = new Set<string>();
  const otherStatus = response?.otherwise?.status;
  for (const part of [operation?.['requestBody'], responses[status], otherStatus && responses[otherStatus]])
    addSchemas(part, document.components.schemas, names);
  return [...names].toSorted();
}

/** Adds the schemas that a document part refers to, including nested references. */
function addSchemas(
  part: unknown,
  schemas: OpenApiDocument['components']['schemas'],
  names: Set<string>,
): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, inner] of Object.entries(part)) {
    const name = key === '$ref' ? (String(inner).split('/').at(-1) ?? '') : undefined;
    if (name === undefined) addSchemas(inner, schemas, names);
    else if (!names.has(name)) addSchemas(schemas[name], schemas, names.add(name));
  }
}

function nameOf({ method, path, versions }: RouteDescription): string {
  return `${method} ${path}${versions ? ` (version ${versions.join(', ')})` : ''}`;
}

function exposed(route: RouteDescription): RouteExposure {
  const { callers, body, upload, query, params, rate, signature, deprecation, isIdempotent, ifMatch } = route;
  const sent = sentMembers(route);
  const addressed = sent.flatMap((member) => (member.to ? [[member.path, member.to] as const] : []));
  return {
    audience: audienceOf(callers),
    strategies: callers.strategies,
    roles: callers.roles ?? [],
    ...facetsOf(callers),
    ...(callers.scopes && { scopes: callers.scopes.needed }),
    ...(callers.isBeforePasswordChange === true && { beforePasswordChange: 'allowed' }),
    ...(rate && { rateLimit: rate === 'off' ? rate : rateText(rate) }),
    ...(signature && { signedBy: signature.scheme }),
    ...(deprecation && { deprecated: deprecation.since }),
    ...(deprecation?.sunset !== undefined && { sunset: deprecation.sunset }),
    ...(body?.stripsUnknown === true && { unknownMembers: 'stripped' }),
    accepts: {
      ...(upload && acceptedFiles(upload)),
      ...(body && acceptedMembers('body', body)),
      ...(query && acceptedMembers('query', query)),
      ...(params && acceptedMembers('path', params)),
      ...(isIdempotent && { 'header.Idempotency-Key': ['optional'] }),
      ...(ifMatch && { 'header.If-Match': [ifMatch], 'header.If-None-Match': ['optional'] }),
    },
    sends: sent.map((member) => member.path),
    ...(addressed.length > 0 && { audiences: Object.fromEntries(addressed) }),
  };
}

/** Returns the facets by name, so that the lock ignores their order in the guard. */
function facetsOf({ facets = [] }: RouteCallers): Record<string, RouteFacet['value']> {
  const byName = facets.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return Object.fromEntries(byName.map(({ name, value }) => [name, value]));
}

/** Returns the audience. A handler with `@Caller` decides by the caller; otherwise the handler treats all callers alike. */
function audienceOf({ isPublic, roles, isOwn }: RouteCallers): Audience {
  if (isPublic) return 'anyone';
  if (roles?.length === 1 && roles[0] === 'admin') return 'administrator';
  return isOwn ? 'owner' : 'user';
}
