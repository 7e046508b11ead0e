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

/** Writes what is shown in a terminal when a program has started. */
export function banner(listening: Listening): string {
  const { about, urls, database, routeCount, publicRoutes } = listening;
  const lines = [
    ['', about],
    ['at', urls.join('  ')],
    ...(database === undefined ? [] : [['data', database]]),
    ...administratorLines(listening),
    ...(publicRoutes.includes(reference) ? [['docs', `${urls[0]}/docs`]] : []),
    ...(listening.workers === undefined ? [] : [['workers', String(listening.workers)]]),
    ...(listening.metrics === undefined ? [] : [['metrics', listening.metrics]]),
    ['public', `${publicRoutes.length} of ${routeCount} routes: ${listed(publicRoutes).join(', ')}`],
    ['try', tryLine(listening)],
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
  return [
    ['admin', `${email}  ${password}`],
    ['', `created; the password is shown once, and is in ${file}`],
    ['', 'it must be changed at the first sign-in: POST /auth/password-changes'],
  ];
}

function tryLine({ urls: [url], publicRoutes, administrator }: Listening): string {
  if (!publicRoutes.includes(signIn)) return `curl ${url}/`;
  const { email = 'you@example.com', password = '…' } = administrator ?? {};
  const body = JSON.stringify({ username: email, password }).replaceAll("'", String.raw`'\''`);
  return `curl ${url}/auth/login -H 'Content-Type: application/json' -d '${body}'`;
}
