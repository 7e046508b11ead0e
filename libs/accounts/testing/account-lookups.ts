import type { TableDefinition } from '@app/persistence';

/** A subquery of rows that are stored with the account that a statement finds. */
const besideAccount = /\(select (?:[^()]|\([^()]*\))*"account_id" = "account"\."id"(?:[^()]|\([^()]*\))*\)/g;

/**
 * Lists the statements that do not name the account whose rows they touch: the table and the columns that each searches. An engine that
 * distributes rows by account executes them on all of its nodes.
 *
 * @param tables those whose rows belong to accounts; the audit log is one of all accounts, whose events outlive them
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

/** Whether a statement inserts, names the account whose rows it reads or changes, or has no row of an account. */
function isOfOneAccount(sql: string, owned: ReadonlySet<string>): boolean {
  const tables = [...sql.matchAll(/\b(?:from|update|join) "(\w+)"/g)].map(([, table]) => table);
  return !tables.some((table) => owned.has(table)) || /"account_id" = (?:\$\d|\?)/.test(sql);
}

/** The table that a statement searches, and by which columns. */
function lookupIn(sql: string): string {
  const [, table] = /\b(?:from|update) "(\w+)"/.exec(sql) ?? [];
  const [, condition = ''] = /\bwhere (.*)/s.exec(sql) ?? [];
  return `${table} by ${[...condition.matchAll(/"(\w+)" (?:[=<>]|is|in)/g)].map(([, column]) => column).join(', ')}`;
}
