import { rateText } from '@app/settings';
import type { RouteCallers, RouteDescription, RouteInput } from '../route-description';
import type { UploadRule } from '../upload-rule';

/** A route on a single line. */
export interface RouteLine {
  readonly method: string;
  readonly path: string;
  readonly callers: string;
  /** The rate limit per caller; empty if the route has no limit of its own. */
  readonly limit: string;
  /** The body class; empty for routes without a body class. */
  readonly body: string;
  readonly query: string;
  /** The class, its shape and its groups; the media types for a route without a class; empty if nothing is sent. */
  readonly response: string;
  /** The kind: `compiled`, or `foreign` with the reason. */
  readonly kind: string;
}

/**
 * Lists the callers, the input, the output and the kind of each route.
 *
 * @param kindOf tells how a route is served
 */
export function routeLines(
  routes: readonly RouteDescription[],
  kindOf: (route: RouteDescription) => string,
): readonly RouteLine[] {
  return routes.map((route) => ({ ...lineOf(route), kind: kindOf(route) }));
}

function lineOf(route: RouteDescription): Omit<RouteLine, 'kind'> {
  const { method, path, callers, rate, body, upload, query, response, mediaTypes, signature } = route;
  return {
    method,
    path,
    callers: [callersIn(callers), signature && `signed by ${signature.scheme}`].filter(Boolean).join(', '),
    limit: limitIn(rate),
    body: [upload && filesIn(upload), body && inputIn(body)].filter(Boolean).join(', '),
    query: inputIn(query),
    response: response
      ? `${shapes[response.shape]}${response.type.name}${inGroups(response.groups)}`
      : mediaTypes.join(' or '),
  };
}

const shapes = { one: '', list: 'list of ', page: 'page of ' };

function callersIn(callers: RouteCallers): string {
  const { isPublic, strategies, roles, scopes, facets = [], isBeforePasswordChange, isOwn } = callers;
  const names = strategies.join(' or ');
  if (isPublic) return names === '' ? 'anyone' : `anyone, or ${names}`;
  const role = roles ? `, role ${roles.join(' or ')}` : '';
  const required = facets.map(({ summary }) => `, ${summary}`).join('');
  const scope = scopes?.needed.length ? `, scope ${scopes.needed.join(' and ')}` : '';
  return `${names}${scope}${role}${isOwn && !roles ? ', own' : ''}${required}${isBeforePasswordChange ? ', before a change of the password' : ''}`;
}

function limitIn(rate: RouteDescription['rate']): string {
  return typeof rate === 'object' ? rateText(rate) : (rate ?? '');
}

function inputIn(input: RouteInput | undefined): string {
  if (input === undefined) return '';
  return `${input.type.name}${inGroups(input.groups)}${input.stripsUnknown ? ', unknown members stripped' : ''}`;
}

function filesIn({ field, maxFiles, isList }: UploadRule): string {
  return isList ? `up to ${maxFiles} files ${field}` : `file ${field}`;
}

function inGroups(groups: readonly string[]): string {
  return groups.length > 0 ? ` (${groups.join(', ')})` : '';
}

const columns = ['method', 'path', 'callers', 'limit', 'body', 'query', 'response', 'kind'] as const;

/** The lines as an aligned text table. */
export function routesTable(lines: readonly RouteLine[]): string {
  const head: RouteLine = {
    method: 'METHOD',
    path: 'PATH',
    callers: 'WHO MAY CALL',
    limit: 'LIMIT',
    body: 'BODY',
    query: 'QUERY',
    response: 'RESPONSE',
    kind: 'KIND',
  };
  const rows = [head, ...lines];
  const width = (column: keyof RouteLine) => Math.max(...rows.map((row) => row[column].length));
  const widths = columns.map(width);
  return rows
    .map((row) =>
      columns
        .map((column, at) => row[column].padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
