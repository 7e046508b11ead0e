import { commandLine } from '@app/settings';

/** An administrator account that was created during this start. */
export interface NewAdministrator {
  readonly email: string;
  /** Only if it was generated; it is shown once. */
  readonly password?: string;
  /** Only if it was generated: the file that has it. */
  readonly file?: string;
}

/** What is printed about a program that has started to listen. */
export interface Listening {
  /** The line of `GET /`, such as `sluice 0.1.0 (api)`. */
  readonly about: string;
  /** Local addresses first. */
  readonly urls: readonly [string, ...string[]];
  /** The database file or server; `undefined` for a program without a store. */
  readonly database?: string;
  readonly administrator?: NewAdministrator;
  /** `ADMIN_EMAIL`, if that account is no administrator. */
  readonly ignoredAdministrator?: string;
  /** How many routes there are in all. */
  readonly routeCount: number;
  /** The URL of the metrics, if they have a port of their own. */
  readonly metrics?: string;
  /** How many processes there are, if several. */
  readonly workers?: number;
  /** Each as `POST /auth/login`. */
  readonly publicRoutes: readonly string[];
}

const signIn = 'POST /auth/login';
const reference = 'GET /docs';

/** Writes what is shown in a terminal when a program has started: ten lines at most. */
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

/** The files that the reference page loads are counted, not listed. */
function listed(routes: readonly string[]): readonly string[] {
  const others = routes.filter((route) => !route.startsWith(`${reference}/`));
  const files = routes.length - others.length;
  if (files === 0) return others;
  return others.map((route) => (route === reference ? `${route} (and its ${files} files)` : route));
}

/** The same facts as log fields, without the password: the name of its file is enough. */
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

/** The first commands of a reader: sign in, change a password that was generated, call a route. */
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
