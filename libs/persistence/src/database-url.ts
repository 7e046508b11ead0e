/** Where the data is, as `DATABASE_URL` says it. */
export type DatabaseLocation =
  | { readonly dialect: 'sqlite'; /** File path, as given. */ readonly path: string; readonly place: string }
  | {
      readonly dialect: 'postgres';
      readonly url: string;
      /** Without user or password. */ readonly place: string;
    };

/** What a `DATABASE_URL` must look like, said to whoever set it otherwise. */
export const databaseUrlProblem =
  'must be sqlite:<path of a file> or postgres://user:password@host:port/database';

/**
 * Reads a `DATABASE_URL`.
 *
 * @returns `undefined` if it is none; the message to show then is {@link databaseUrlProblem}, which does not repeat
 *          the value, for that may hold a password
 */
export function readDatabaseUrl(url: string): DatabaseLocation | undefined {
  if (url.startsWith('sqlite:')) return sqliteLocation(url.slice('sqlite:'.length));
  if (/^postgres(ql)?:\/\//.test(url)) return postgresLocation(url);
  return undefined;
}

/**
 * The file that a `DATABASE_URL` names, so that what belongs to the data can lie beside it.
 *
 * @returns its path as given, or `undefined` if the data is on a server
 */
export function sqliteFile(url: string): string | undefined {
  const location = readDatabaseUrl(url);
  return location?.dialect === 'sqlite' ? location.path : undefined;
}

/** A path is taken as it stands; `sqlite:///var/lib/x.db` is the same file as `sqlite:/var/lib/x.db`. */
function sqliteLocation(written: string): DatabaseLocation | undefined {
  const path = written.startsWith('///') ? written.slice(2) : written;
  if (path === '' || path.startsWith('//') || path.includes('\0')) return undefined;
  // A database in memory belongs to one connection, and would be two here; nothing in it would survive the program.
  if (path.startsWith(':') || /[/\\]$/.test(path)) return undefined;
  return { dialect: 'sqlite', path, place: path };
}

function postgresLocation(url: string): DatabaseLocation | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  if (pathname.length < 2) return undefined;
  return { dialect: 'postgres', url, place: `${host}${pathname}` };
}
