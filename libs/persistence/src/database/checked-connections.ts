import { type DatabaseConnection, type Dialect } from 'kysely';
import { withConnections } from '../dialects/with-connections';
import { refuseUnchecked } from '../tenants/tenant-plugin';

/**
 * Wraps a dialect so that its connections refuse statements that bypassed the plugins. It covers every handle that Kysely derives,
 * such as the handles of `withoutPlugins()`, `connection()` and `transaction()`.
 */
export function withCheckedConnections(dialect: Dialect): Dialect {
  const wrapped = new WeakSet<DatabaseConnection>();
  return withConnections(dialect, async (acquire) => {
    const connection = await acquire();
    if (wrapped.has(connection)) return connection;
    wrapped.add(connection);
    const execute = connection.executeQuery.bind(connection);
    const executeQuery: typeof execute = async (query, ...options) => {
      refuseUnchecked(query);
      return execute(query, ...options);
    };
    return Object.assign(connection, { executeQuery });
  });
}
