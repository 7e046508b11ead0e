import { closestName } from '@app/settings';

/** A parsed `DATABASE_URL`. */
export type DatabaseLocation =
  | { readonly dialect: 'sqlite'; /** File path, as given. */ readonly path: string; readonly place: string }
  | {
      readonly dialect: 'postgres';
      readonly url: string;
      /** A URL for each of its hosts. */
      readonly hosts: readonly string[];
      /** Whether only a host that accepts writes is connected to (`target_session_attrs`). */
      readonly isPrimaryOnly: boolean;
      /** The location without user and password. */ readonly place: string;
    };

/**
 * The allowed PostgreSQL connection parameters and their values. `pg` would ignore an unknown parameter and, for example,
 * connect without TLS.
 */
const parameters = new Map([
  ['sslmode', /^(?:disable|prefer|require|verify-ca|verify-full|no-verify)$/],
  ['ssl', /^(?:true|1|0)$/],
  ['sslnegotiation', /^(?:postgres|direct)$/],
  ['uselibpqcompat', /^(?:true|false)$/],
  ['target_session_attrs', /^(?:any|read-write|primary)$/],
  ...['host', 'port', 'user', 'password', 'sslcert', 'sslkey', 'sslrootcert'].map(
    (name) => [name, /./] as const,
  ),
  ...['application_name', 'fallback_application_name', 'client_encoding', 'options'].map(
    (name) => [name, /./] as const,
  ),
]);

const form = 'must be sqlite:<path of a file> or postgres://user:password@host:port/database';

/** Returns the error message for an invalid `DATABASE_URL`. It does not repeat the URL, which may contain a password. */
export function databaseUrlProblem(url: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return form;
  const [name, value] = new URLSearchParams(url.split('?')[1]).entries().find(isInvalid) ?? [];
  if (name === undefined || value === undefined) return form;
  if (parameters.has(name)) return `has an invalid ${name}`;
  const meant = closestName(name, [...parameters.keys()]);
  const remedy = meant === undefined ? `there are ${[...parameters.keys()].join(', ')}` : `write ${meant}`;
  return `has ${/^\w{1,40}$/.test(name) ? `the parameter ${name}` : 'a parameter'}, which does not exist: ${remedy}`;
}

function isInvalid([name, value]: readonly [string, string]): boolean {
  return parameters.get(name)?.test(value) !== true;
}

/**
 * Parses a `DATABASE_URL`.
 *
 * @returns `undefined` if it is invalid. {@link databaseUrlProblem} is the message to show
 */
export function readDatabaseUrl(url: string): DatabaseLocation | undefined {
  if (url.startsWith('sqlite:')) return sqliteLocation(url.slice('sqlite:'.length));
  if (/^postgres(ql)?:\/\//.test(url)) return postgresLocation(url);
  return undefined;
}

/**
 * Returns the SQLite file of a `DATABASE_URL`. Programs keep their files beside it, such as generated secrets.
 *
 * @returns the path as written in the URL, or `undefined` for PostgreSQL
 */
export function sqliteFile(url: string): string | undefined {
  const location = readDatabaseUrl(url);
  return location?.dialect === 'sqlite' ? location.path : undefined;
}

/** The path is used as given; `sqlite:///var/lib/x.db` is the same file as `sqlite:/var/lib/x.db`. */
function sqliteLocation(written: string): DatabaseLocation | undefined {
  const path = written.startsWith('///') ? written.slice(2) : written;
  // SQLite has no parameters here: `?mode=ro` would be part of the file's name.
  if (path === '' || path.startsWith('//') || /[\0?]/.test(path)) return undefined;
  // An in-memory database belongs to one connection; reader and writer are two.
  if (path.startsWith(':') || /[/\\]$/.test(path)) return undefined;
  return { dialect: 'sqlite', path, place: path };
}

/** A libpq URL with several hosts: `postgres://user:password@host:port,host:port/database?target_session_attrs=read-write`. */
const severalHosts = /^(\w+:\/\/(?:[^@/?]*@)?)([^@/?]+,[^@/?]+)(\/.*)$/;

function postgresLocation(url: string): DatabaseLocation | undefined {
  const [, start = '', names = '', end = ''] = severalHosts.exec(url) ?? [];
  const hosts = names === '' ? [url] : names.split(',').map((name) => start + name + end);
  const parsed = hosts.flatMap((host) => (URL.canParse(host) ? [new URL(host)] : []));
  const [{ pathname, searchParams } = new URL('postgres:')] = parsed;
  if (parsed.length < hosts.length || pathname.length < 2 || searchParams.entries().some(isInvalid))
    return undefined;
  const attribute = searchParams.get('target_session_attrs');
  const place = parsed.map(({ host }) => host).join(',') + pathname;
  return { dialect: 'postgres', url, hosts, isPrimaryOnly: /write|primary/.test(attribute ?? ''), place };
}
