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
      /** Without user or password. */ readonly place: string;
    };

/** The error message for an invalid `DATABASE_URL`. */
export const databaseUrlProblem =
  'must be sqlite:<path of a file> or postgres://user:password@host:port/database';

/**
 * Parses a `DATABASE_URL`.
 *
 * @returns `undefined` if it is invalid. {@link databaseUrlProblem} is the message to show: it does not repeat the
 *          value, which may contain a password
 */
export function readDatabaseUrl(url: string): DatabaseLocation | undefined {
  if (url.startsWith('sqlite:')) return sqliteLocation(url.slice('sqlite:'.length));
  if (/^postgres(ql)?:\/\//.test(url)) return postgresLocation(url);
  return undefined;
}

/**
 * The SQLite file of a `DATABASE_URL`; other files of the program, such as generated secrets, are kept beside it.
 *
 * @returns its path as given, or `undefined` for PostgreSQL
 */
export function sqliteFile(url: string): string | undefined {
  const location = readDatabaseUrl(url);
  return location?.dialect === 'sqlite' ? location.path : undefined;
}

/** The path is used as given; `sqlite:///var/lib/x.db` is the same file as `sqlite:/var/lib/x.db`. */
function sqliteLocation(written: string): DatabaseLocation | undefined {
  const path = written.startsWith('///') ? written.slice(2) : written;
  if (path === '' || path.startsWith('//') || path.includes('\0')) return undefined;
  // An in-memory database belongs to one connection; reader and writer are two.
  if (path.startsWith(':') || /[/\\]$/.test(path)) return undefined;
  return { dialect: 'sqlite', path, place: path };
}

/** As libpq reads it: `postgres://user:password@host:port,host:port/database?target_session_attrs=read-write`. */
const severalHosts = /^(\w+:\/\/(?:[^@/?]*@)?)([^@/?]+,[^@/?]+)(\/.*)$/;
const attributes = new Set([null, 'any', 'read-write', 'primary']);

function postgresLocation(url: string): DatabaseLocation | undefined {
  const [, start = '', names = '', end = ''] = severalHosts.exec(url) ?? [];
  const hosts = names === '' ? [url] : names.split(',').map((name) => start + name + end);
  const parsed = hosts.flatMap((host) => (URL.canParse(host) ? [new URL(host)] : []));
  const [{ pathname, searchParams } = new URL('postgres:')] = parsed;
  const attribute = searchParams.get('target_session_attrs');
  if (parsed.length < hosts.length || pathname.length < 2 || !attributes.has(attribute)) return undefined;
  const place = parsed.map(({ host }) => host).join(',') + pathname;
  return { dialect: 'postgres', url, hosts, isPrimaryOnly: /write|primary/.test(attribute ?? ''), place };
}
