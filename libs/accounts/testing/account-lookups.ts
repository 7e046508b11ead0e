import type { TableDefinition } from '@app/persistence';

/** Matches a subquery for rows that are stored with the account that a statement finds. */
const besideAccount = /\(select (?:[^()]|\([^()]*\))*"account_id" = "account"\."id"(?:[^()]|\([^()]*\))*\)/g;

/**
 * Lists the statements that touch an account's rows without naming it, as their table and the columns that they search. An engine
 * that distributes rows by account executes such statements on all nodes.
 *
 * @param tables the table definitions; the audit log is ignored, because its events outlive accounts
 */
export function lookupsIn(
  queries: readonly { readonly sql: string }[],
  tables: readonly TableDefinition[],
): readonly string[] {
  const owned = new Set(
    tables
      .filter(({ name, secrecy }) => 'accountId' in secrecy && name !== 'auditEvent')
      .map(({ name }) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  );
  const lookups = queries
    .map(({ sql }) => sql.replaceAll(besideAccount, ''))
    .filter((sql) => !isOfOneAccount(sql, owned))
    .map(lookupIn);
  return [...new Set(lookups)].toSorted();
}

/** Returns whether a statement inserts rows, names the account that owns its rows, or only uses tables without accounts. */
function isOfOneAccount(sql: string, owned: ReadonlySet<string>): boolean {
  const tables = [...sql.matchAll(/\b(?:from|update|join) "(\w+)"/g)].map(([, table]) => table);
  return !tables.some((table) => owned.has(table)) || /"account_id" = (?:\$\d|\?)/.test(sql);
}

/** Returns the table that a statement searches, and the columns in its condition. */
function lookupIn(sql: string): string {
  const [, table] = /\b(?:from|update) "(\w+)"/.exec(sql) ?? [];
  const [, condition = ''] = /\bwhere (.*)/s.exec(sql) ?? [];
  return `${table} by ${[...condition.matchAll(/"(\w+)" (?:[=<>]|is|in)/g)].map(([, column]) => column).join(', ')}`;
}
