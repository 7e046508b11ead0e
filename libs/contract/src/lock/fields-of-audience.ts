import { audienceNamed, isOwnerAudience } from '../audiences/audience';
import type { RouteDescription } from '../route-description';
import { acceptedMembers } from './accepted-members';
import { sentMembers } from './sent-members';

/** The fields that the callers in an audience are sent, and may send. */
export interface RouteFields {
  /** The route, such as `GET /users/:id`. */
  readonly route: string;
  readonly sends: readonly string[];
  readonly accepts: readonly string[];
}

/**
 * Lists each route's fields for an audience. A field for a row's owner is listed with its condition: `email (if self)`.
 *
 * @param name the audience; callers in no audience have a name that no plugin declares, such as `anyone`
 */
export function fieldsOfAudience(routes: readonly RouteDescription[], name: string): readonly RouteFields[] {
  return routes.map((route) => ({
    route: `${route.method} ${route.path}`,
    sends: sentMembers(route).flatMap(({ path, to }) => seenBy(name, path, to)),
    accepts: acceptedBy(route).flatMap(([path, from]) => seenBy(name, path, from)),
  }));
}

function seenBy(name: string, path: string, audiences: readonly string[] | undefined): string[] {
  if (audiences === undefined || audiences.includes(name)) return [path];
  // A part's member may need two audiences: `admin and self`.
  const conditions = audiences
    .map((audience) => audience.split(' and ').filter((part) => part !== name))
    .filter((parts) => parts.every(isOwner));
  return conditions.length > 0
    ? [`${path} (if ${conditions.map((parts) => parts.join(' and ')).join(' or ')})`]
    : [];
}

function isOwner(name: string): boolean {
  const audience = audienceNamed(name);
  return audience !== undefined && isOwnerAudience(audience);
}

function acceptedBy({ body, query, params }: RouteDescription): [string, readonly string[] | undefined][] {
  const members = {
    ...(params && acceptedMembers('path', params)),
    ...(query && acceptedMembers('query', query)),
    ...(body && acceptedMembers('body', body)),
  };
  return Object.entries(members).map(([path, rules]) => {
    const from = rules.find((rule) => rule.startsWith('from('));
    return [path, from === undefined ? undefined : namesIn(from)];
  });
}

/** Returns the audiences in a rule such as `from(["admin"])`. */
function namesIn(rule: string): readonly string[] {
  const names: unknown = JSON.parse(rule.slice('from('.length, -1));
  return Array.isArray(names) ? names.map(String) : [];
}
