import { type DatabaseConnection, type Dialect } from 'kysely';

/** Wraps a dialect so that each connection passes through a function before it is used. */
export function withConnections(
  dialect: Dialect,
  prepare: (acquire: () => Promise<DatabaseConnection>) => Promise<DatabaseConnection>,
): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => {
      const driver = dialect.createDriver();
      return {
        init: (options) => driver.init(options),
        acquireConnection: (options) => prepare(() => driver.acquireConnection(options)),
        beginTransaction: (...args) => driver.beginTransaction(...args),
        commitTransaction: (...args) => driver.commitTransaction(...args),
        rollbackTransaction: (...args) => driver.rollbackTransaction(...args),
        releaseConnection: (...args) => driver.releaseConnection(...args),
        destroy: (...args) => driver.destroy(...args),
      };
    },
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}
