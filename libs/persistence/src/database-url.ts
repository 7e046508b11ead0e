/** A parsed `DATABASE_URL`. */
export type DatabaseLocation =
  | { readonly dialect: 'sqlite'; /** File path, as given. */ readonly path: string; readonly place: string }
  | {
      readonly dialect: 'postgres';
      readonly url: string;
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

function postgresLocation(url: string): DatabaseLocation | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  if (pathname.length < 2) return undefined;
  return { dialect: 'postgres', url, place: `${host}${pathname}` };
}
