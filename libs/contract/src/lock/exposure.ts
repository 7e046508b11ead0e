import { acceptedFiles, acceptedMembers } from './accepted-members';
import type { RouteCallers, RouteDescription } from '../route-description';
import { rateText } from '../rate-limit';
import { sentMembers } from './sent-members';

/** Who may call a route, widest first; `owner`: the handler decides by the caller, and serves the caller's own data. */
export type Audience = 'anyone' | 'user' | 'owner' | 'administrator';

/** What one route accepts and sends, in a form that is the same on every machine. */
export interface RouteExposure {
  readonly audience: Audience;
  /** The strategies that authenticate callers; empty for a public route. */
  readonly strategies: readonly string[];
  /** The roles that may call; empty if all may. */
  readonly roles: readonly string[];
  /** The sign-in of the caller must not be older; missing if any is accepted. */
  readonly maxAgeSeconds?: number;
  /** Whether the caller needs a verified e-mail; missing if not. */
  readonly needsVerifiedEmail?: true;
  /** A caller who is restricted to scopes needs all of these; missing if no strategy has such callers. */
  readonly scopes?: readonly string[];
  /** How often one caller may call it, such as `10/1m`; missing if it has no limit of its own. */
  readonly rateLimit?: string;
  /** The rules of every member that is accepted, by its path: `body.items[].sku`. */
  readonly accepts: Readonly<Record<string, readonly string[]>>;
  /** Every member that is sent, by its path: `items[].id`. */
  readonly sends: readonly string[];
}

/** What a program exposes, by route: `GET /users/:id`. */
export type Exposure = Readonly<Record<string, RouteExposure>>;

/** Lists what a program's routes accept and send, and who may call them. */
export function exposureOf(routes: readonly RouteDescription[]): Exposure {
  return Object.fromEntries(routes.map((route) => [`${route.method} ${route.path}`, exposed(route)]));
}

function exposed(route: RouteDescription): RouteExposure {
  const { callers, body, upload, query, params, rate, isIdempotent, ifMatch } = route;
  return {
    audience: audienceOf(callers),
    strategies: callers.strategies,
    roles: callers.roles ?? [],
    ...(callers.maxAgeSeconds !== undefined && { maxAgeSeconds: callers.maxAgeSeconds }),
    ...(callers.needsVerifiedEmail && { needsVerifiedEmail: true }),
    ...(callers.scopes && { scopes: callers.scopes.needed }),
    ...(rate && { rateLimit: rate === 'off' ? rate : rateText(rate) }),
    accepts: {
      ...(upload && acceptedFiles(upload)),
      ...(body && acceptedMembers('body', body)),
      ...(query && acceptedMembers('query', query)),
      ...(params && acceptedMembers('path', params)),
      ...(isIdempotent && { 'header.Idempotency-Key': ['optional'] }),
      ...(ifMatch && { 'header.If-Match': [ifMatch], 'header.If-None-Match': ['optional'] }),
    },
    sends: sentMembers(route),
  };
}

/** A handler with `@Caller` decides by the caller; one without treats all callers alike. */
function audienceOf({ isPublic, roles, isOwn }: RouteCallers): Audience {
  if (isPublic) return 'anyone';
  if (roles?.length === 1 && roles[0] === 'admin') return 'administrator';
  return isOwn ? 'owner' : 'user';
}
