import { acceptedMembers } from './accepted-members';
import type { RouteCallers, RouteDescription } from '../route-description';
import { sentMembers } from './sent-members';

/** Who may call a route, from the widest to the narrowest; `owner` is a user whose own things it is about. */
export type Audience = 'anyone' | 'user' | 'owner' | 'administrator';

/** What one route lets in and out, in words that stay the same from one machine to the next. */
export interface RouteExposure {
  readonly audience: Audience;
  /** The strategies by which callers are known; none when nobody has to be. */
  readonly strategies: readonly string[];
  /** The roles that may call; none when any will do. */
  readonly roles: readonly string[];
  /** The rules of every member that is accepted, by its path: `body.items[].sku`. */
  readonly accepts: Readonly<Record<string, readonly string[]>>;
  /** Every member that is sent, by its path: `items[].id`. */
  readonly sends: readonly string[];
}

/** What a program exposes, by route: `GET /users/:id`. */
export type Exposure = Readonly<Record<string, RouteExposure>>;

/** Says what a program's routes accept from whom, and send to whom. */
export function exposureOf(routes: readonly RouteDescription[]): Exposure {
  return Object.fromEntries(routes.map((route) => [`${route.method} ${route.path}`, exposed(route)]));
}

function exposed(route: RouteDescription): RouteExposure {
  const { callers, body, query, params } = route;
  return {
    audience: audienceOf(callers),
    strategies: callers.strategies,
    roles: callers.roles ?? [],
    accepts: {
      ...(body && acceptedMembers('body', body)),
      ...(query && acceptedMembers('query', query)),
      ...(params && acceptedMembers('path', params)),
    },
    sends: sentMembers(route),
  };
}

/** A handler that is told who calls decides by that; one that is not treats all callers alike. */
function audienceOf({ isPublic, roles, isOwn }: RouteCallers): Audience {
  if (isPublic) return 'anyone';
  if (roles?.length === 1 && roles[0] === 'admin') return 'administrator';
  return isOwn ? 'owner' : 'user';
}
