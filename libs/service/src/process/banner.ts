import { commandLine } from '@app/settings';

/** An administrator account that was created during this start. */
export interface NewAdministrator {
  readonly email: string;
  /** The password, if it was generated. It is shown once. */
  readonly password?: string;
  /** The file that has the generated password. */
  readonly file?: string;
}

/** The facts that are printed about a program that has started to listen. */
export interface Listening {
  /** The line of `GET /`, such as `sluice 0.1.0 (api)`. */
  readonly about: string;
  /** The URLs of the program, local addresses first. */
  readonly urls: readonly [string, ...string[]];
  /** The database file or server; `undefined` for a program without a store. */
  readonly database?: string;
  readonly administrator?: NewAdministrator;
  /** The `ADMIN_EMAIL`, if its account is not an administrator. */
  readonly ignoredAdministrator?: string;
  /** The number of routes in all. */
  readonly routeCount: number;
  /** The URL of the metrics, if they have their own port. */
  readonly metrics?: string;
  /** The number of processes, if there are several. */
  readonly workers?: number;
  /** The public routes, such as `POST /auth/login`. */
  readonly publicRoutes: readonly string[];
}

const signIn = 'POST /auth/login';
const reference = 'GET /docs';

/** Writes the banner that a terminal shows when a program has started. It has at most ten lines. */
export function banner(listening: Listening): string {
  const { about, urls, database, routeCount, publicRoutes, workers } = listening;
  const lines = [
    ['', workers === undefined ? about : `${about}, ${workers} workers`],
    ['at', urls.join('  ')],
    ...(database === undefined ? [] : [['data', database]]),
    ...administratorLines(listening),
    ...(publicRoutes.includes(reference) ? [['docs', `${urls[0]}/docs`]] : []),
    ...(listening.metrics === undefined ? [] : [['metrics', listening.metrics]]),
    ['public', `${publicRoutes.length} of ${routeCount} routes: ${listed(publicRoutes).join(', ')}`],
    ...firstCommands(listening).map((command, at) => [at === 0 ? 'try' : '', command]),
  ];
  return `\n${lines.map(([label = '', text = '']) => `  ${label.padEnd(7)} ${text}`).join('\n')}\n\n`;
}

/** Lists the routes. Files that the reference page loads are only counted. */
function listed(routes: readonly string[]): readonly string[] {
  const others = routes.filter((route) => !route.startsWith(`${reference}/`));
  const files = routes.length - others.length;
  if (files === 0) return others;
  return others.map((route) => (route === reference ? `${route} (and its ${files} files)` : route));
}

/** Returns the same facts as log fields. It omits the password, because the name of its file is enough. */
export function listeningFields(listening: Listening): object {
  const { urls, administrator, ...others } = listening;
  const withoutPassword = administrator && { email: administrator.email, file: administrator.file };
  return { url: urls[0], ...others, ...(withoutPassword && { administrator: withoutPassword }) };
}

function administratorLines({ administrator, ignoredAdministrator }: Listening): string[][] {
  if (ignoredAdministrator !== undefined)
    return [
      ['admin', `${ignoredAdministrator} is no administrator; ${commandLine(['admin:reset'])} makes it one`],
    ];
  if (administrator === undefined) return [];
  const { email, password, file } = administrator;
  if (password === undefined) return [['admin', `${email}, created`]];
  return [['admin', `${email}  ${password}  shown once, and in ${file} until it is changed`]];
}

/** Returns the first commands for a reader: sign in, change a generated password, call a route. */
function firstCommands({ urls: [url], publicRoutes, administrator }: Listening): string[] {
  if (!publicRoutes.includes(signIn)) return [`curl ${url}/`];
  const { email = 'you@example.com', password } = administrator ?? {};
  const send = (path: string, body: object) =>
    `curl -s ${url}${path} -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`;
  const as = '-H "Authorization: Bearer $TOKEN"';
  const token = send('/auth/login', { username: email, password: password ?? '…' });
  return [
    `TOKEN=$(${token} | cut -d'"' -f4)`,
    ...(password === undefined
      ? []
      : [`${send('/auth/password-changes', { password: 'a password of yours' })} ${as}`]),
    `curl ${url}/auth/profile ${as}`,
  ];
}
