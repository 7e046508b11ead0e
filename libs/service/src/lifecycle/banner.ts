/** An administrator that this start has made. */
export interface NewAdministrator {
  readonly email: string;
  /** Only when it was made up: nobody but us can tell it, and only now. */
  readonly password?: string;
  /** Only when it was made up: the file that keeps it. */
  readonly file?: string;
}

/** What there is to say about a program that has begun to listen. */
export interface Listening {
  /** The line of `GET /`, such as `sluice 0.1.0 (api)`. */
  readonly about: string;
  /** The nearest first. */
  readonly urls: readonly [string, ...string[]];
  /** Where the data is; `undefined` for a program without a store. */
  readonly place?: string;
  readonly administrator?: NewAdministrator;
  /** How many routes there are in all. */
  readonly routeCount: number;
  /** Each as `POST /auth/login`. */
  readonly publicRoutes: readonly string[];
}

const signIn = 'POST /auth/login';
const reference = 'GET /docs';

/** Writes what a person who started a program in a terminal wants to know first. */
export function banner(listening: Listening): string {
  const { about, urls, place, routeCount, publicRoutes } = listening;
  const lines = [
    ['', about],
    ['at', urls.join('  ')],
    ...(place === undefined ? [] : [['data', place]]),
    ...administratorLines(listening.administrator),
    ...(publicRoutes.includes(reference) ? [['docs', `${urls[0]}/docs`]] : []),
    ['public', `${publicRoutes.length} of ${routeCount} routes: ${listed(publicRoutes).join(', ')}`],
    ['try', tryLine(listening)],
  ];
  return `\n${lines.map(([label = '', text = '']) => `  ${label.padEnd(7)} ${text}`).join('\n')}\n\n`;
}

/** The files that the page of the reference loads are counted beside it, not named. */
function listed(routes: readonly string[]): readonly string[] {
  const others = routes.filter((route) => !route.startsWith(`${reference}/`));
  const files = routes.length - others.length;
  if (files === 0) return others;
  return others.map((route) => (route === reference ? `${route} (and its ${files} files)` : route));
}

/** The same facts for a log. A password stays where it is: the file's name is enough to find it. */
export function listeningFields(listening: Listening): object {
  const { urls, administrator, ...others } = listening;
  const withoutPassword = administrator && { email: administrator.email, file: administrator.file };
  return { url: urls[0], ...others, ...(withoutPassword && { administrator: withoutPassword }) };
}

function administratorLines(administrator: NewAdministrator | undefined): string[][] {
  if (administrator === undefined) return [];
  const { email, password, file } = administrator;
  if (password === undefined) return [['admin', `${email}, made now`]];
  return [
    ['admin', `${email}  ${password}`],
    ['', `made now and shown once; also in ${file}`],
  ];
}

function tryLine({ urls: [url], publicRoutes, administrator }: Listening): string {
  if (!publicRoutes.includes(signIn)) return `curl ${url}/`;
  const { email = 'you@example.com', password = '…' } = administrator ?? {};
  const body = JSON.stringify({ username: email, password }).replaceAll("'", String.raw`'\''`);
  return `curl ${url}/auth/login -H 'Content-Type: application/json' -d '${body}'`;
}
