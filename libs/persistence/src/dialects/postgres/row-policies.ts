import { CompiledQuery, type DatabaseConnection, type Driver, type TransactionSettings } from 'kysely';
import { scopeOfStatement } from '../../tenants/tenant-plugin';
import { retryConflicts } from './retry-conflicts';

/** The connection option that makes row policies show the rows of all tenants. */
export const ofAllTenants = '-c sluice.tenant=all';

/** Returns the condition of a table's row policy. Without the setting, the policy shows no row. */
export function policyCondition(column: string): string {
  return `current_setting('sluice.tenant', true) in ('all', 'id:' || "${column}")`;
}

/** A connection's transaction. */
interface State {
  isInTransaction: boolean;
  /** The setting that the row policies read. It ends with the transaction. */
  tenant: string | undefined;
}

/**
 * Wraps a driver so that row policies know the tenant of each statement. A statement outside a transaction gets a transaction of
 * its own, because a connection, or a pooler's server connection, must not keep a tenant.
 *
 * @param waitMs the time in milliseconds for retrying a statement that conflicts
 */
export function withRowPolicies(driver: Driver, waitMs: number): Driver {
  const states = new WeakMap<DatabaseConnection, State>();
  const enter = (connection: DatabaseConnection, isInTransaction: boolean) =>
    Object.assign(states.get(connection) ?? {}, { isInTransaction, tenant: undefined });
  const begin = async (connection: DatabaseConnection, settings: TransactionSettings) => {
    await driver.beginTransaction(connection, settings);
    enter(connection, true);
  };
  const commit = (connection: DatabaseConnection) =>
    driver.commitTransaction(connection).finally(() => enter(connection, false));
  const rollback = (connection: DatabaseConnection) =>
    driver.rollbackTransaction(connection).finally(() => enter(connection, false));

  function wrap(connection: DatabaseConnection): DatabaseConnection {
    if (states.has(connection)) return connection;
    const state: State = { isInTransaction: false, tenant: undefined };
    states.set(connection, state);
    const execute = connection.executeQuery.bind(connection);
    const executeQuery: typeof execute = async <R>(
      query: CompiledQuery,
      options?: Parameters<typeof execute>[1],
    ) => {
      const tenant = tenantOf(query);
      if (tenant === undefined) return execute<R>(query, options);
      const executeForTenant = async () => {
        if (state.tenant !== tenant) await execute(setTenant(tenant));
        state.tenant = tenant;
        return execute<R>(query, options);
      };
      if (state.isInTransaction) return executeForTenant();
      return retryConflicts(waitMs, async () => {
        await begin(connection, {});
        try {
          const result = await executeForTenant();
          await commit(connection);
          return result;
        } catch (error) {
          await rollback(connection);
          throw error;
        }
      });
    };
    return Object.assign(connection, { executeQuery });
  }

  return {
    init: () => driver.init(),
    acquireConnection: async (options) => wrap(await driver.acquireConnection(options)),
    beginTransaction: begin,
    commitTransaction: commit,
    rollbackTransaction: rollback,
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
  };
}

/** Returns the value of the setting for a statement; `undefined` if it concerns no tenant table. */
function tenantOf(query: CompiledQuery): string | undefined {
  const scope = scopeOfStatement(query);
  if (scope === undefined || scope === 'none') return undefined;
  return scope === 'all' ? 'all' : `id:${String(scope.tenantId)}`;
}

function setTenant(tenant: string): CompiledQuery {
  return CompiledQuery.raw("select set_config('sluice.tenant', $1, true)", [tenant]);
}
