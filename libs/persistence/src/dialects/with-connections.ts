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
        beginTransaction: (...given) => driver.beginTransaction(...given),
        commitTransaction: (...given) => driver.commitTransaction(...given),
        rollbackTransaction: (...given) => driver.rollbackTransaction(...given),
        releaseConnection: (...given) => driver.releaseConnection(...given),
        destroy: (...given) => driver.destroy(...given),
      };
    },
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}
