import { sql } from 'kysely';
import { type Database } from '../database/database';
import { PendingMigrationsError } from '../errors';
import { policyCondition } from '../dialects/postgres/row-policies';
import { type MigrationHistory } from '../schema/migration';
import { tenantTablesOf } from './check-tenant-keys';

/** A change to a tenant table's row policy. */
export interface PolicyChange {
  /** The name for display, such as `row policy of project`. */
  readonly name: string;
  readonly statements: readonly string[];
}

/** Returns the changes that give each tenant table its row policy, or remove it. SQLite has no row policies. */
export async function policyChanges(
  db: Database,
  histories: readonly MigrationHistory[],
  isOn: boolean,
): Promise<readonly PolicyChange[]> {
  const tables = db.dialect === 'postgres' ? tenantTablesOf(db, histories) : [];
  if (tables.length === 0) return [];
  const { rows } = await policies.execute(db);
  const existing = new Set(rows.map(({ table }) => table));
  return tables
    .filter(({ table }) => existing.has(table) !== isOn)
    .map(({ table, column }) => ({
      name: `${isOn ? 'row policy' : 'removed row policy'} of ${table}`,
      statements: isOn
        ? [
            `create policy sluice_tenant on "${table}" using (${policyCondition(column)})`,
            `alter table "${table}" enable row level security, force row level security`,
          ]
        : [
            `alter table "${table}" no force row level security, disable row level security`,
            `drop policy sluice_tenant on "${table}"`,
          ],
    }));
}

/** Applies the changes. The caller holds the migration lock. */
export async function applyPolicies(
  handle: Database,
  histories: readonly MigrationHistory[],
  isOn: boolean,
): Promise<void> {
  const changes = await policyChanges(handle, histories, isOn);
  await handle.transact(async (db) => {
    for (const statement of changes.flatMap(({ statements }) => statements))
      await sql.raw(statement).execute(db);
  }, 'read committed');
}

/**
 * Checks that the tables have the row policies that the program expects, and that its role does not bypass them. Without the
 * check, a program would find no row in a table with an unexpected policy.
 *
 * @throws {PendingMigrationsError} with the policies that a migration adds or removes
 * @throws {TypeError} if the role bypasses the policies
 */
export async function checkPolicies(db: Database, histories: readonly MigrationHistory[]): Promise<void> {
  const isOn = db.connecting.rowPolicies === 'by statement';
  const changes = await policyChanges(db, histories, isOn);
  if (changes.length > 0) throw new PendingMigrationsError(changes.map(({ name }) => name));
  if (!isOn || db.dialect !== 'postgres') return;
  const { rows } = await roles.execute(db);
  const [{ name, bypasses }] = rows;
  if (bypasses)
    throw new TypeError(
      `TENANT_ROW_SECURITY=on has no effect for the database role ${name}, which bypasses row security: connect with a role that owns the tables, without SUPERUSER and BYPASSRLS`,
    );
}

const policies = sql<{ readonly table: string }>`
  select c.relname as "table" from pg_policy p join pg_class c on c.oid = p.polrelid
  where p.polname = 'sluice_tenant' and c.relnamespace::regnamespace::text = any(current_schemas(false)::text[])`;

const roles = sql<{ readonly name: string; readonly bypasses: boolean }>`
  select rolname as "name", rolsuper or rolbypassrls as "bypasses" from pg_roles where rolname = current_user`;
