import {
  type Compilable,
  type CompiledQuery,
  Kysely,
  type KyselyPlugin,
  type QueryExecutor,
  Transaction,
} from 'kysely';
import { type Tables } from '../schema/tables';
import { isMembership, type Membership } from './membership';
import { TenantException } from './tenant-exception';
import { acceptUnchecked, type Scope, TenantPlugin, withTenantCheck } from './tenant-plugin';

/** The tenant choice. A handle refuses statements on tenant tables until it is bound. */
export interface TenantChoice {
  /**
   * Returns a handle for a tenant's rows. It adds the tenant's condition to each tenant table in a statement, and the
   * tenant's id to each inserted row.
   *
   * @throws {TypeError} unless a guard or a job issued the membership
   */
  for(membership: Membership): Queries;
  /**
   * Returns a handle for all tenants' rows.
   *
   * @param exception the reason; a plugin or resource lists it
   */
  acrossTenants(exception: TenantException): Queries;
}

/** A `Database` or a transaction on it, as it is or bound to a tenant. Store methods take it last. */
export type Queries = Kysely<Tables> & TenantChoice;

/** The exceptions that a program's plugins list. Default: any, for handles without a program. */
export type ListedExceptions = readonly TenantException[] | undefined;

/** The handle that a bound handle was made from. */
const unbound = new WeakMap<object, Kysely<Tables>>();

/** Returns the handle before it was bound to a tenant. */
export function unboundOf(db: Queries): Kysely<Tables> {
  return unbound.get(db) ?? db;
}

/** Stands for the tenant's id in a statement that is compiled once. */
export const tenantParameter = Symbol('tenant');

/**
 * Returns a handle that builds statements for any tenant. It executes no statement on a tenant table, because the tenant's id is
 * missing.
 */
export function forAnyTenant(db: Queries): Queries {
  return bound(db, { tenantId: tenantParameter }, undefined);
}

/** Returns the tenant's id in a scope. */
export function tenantIdOf(scope: Scope): unknown {
  return typeof scope === 'string' ? undefined : scope.tenantId;
}

/** Returns a handle's scope. */
export function scopeOf(executor: QueryExecutor): Scope {
  return executor.plugins.find(isTenantPlugin)?.scope ?? 'all';
}

function isTenantPlugin(plugin: KyselyPlugin): plugin is TenantPlugin {
  return plugin instanceof TenantPlugin;
}

/** Adds the {@link TenantChoice} to the handle of a transaction or connection, whose plugins check tenant tables. */
export function withChoice(handle: Kysely<Tables>, listed: ListedExceptions): Queries {
  return Object.assign(handle, choiceOf(handle, listed));
}

/** Returns the methods by which a handle is bound. */
export function choiceOf(handle: Kysely<Tables>, listed: ListedExceptions): TenantChoice {
  return {
    for: (membership) => {
      if (!isMembership(membership))
        throw new TypeError('db.for() takes a membership that a guard or a job issued, and no other object');
      return bound(handle, { tenantId: membership.tenantId }, listed);
    },
    acrossTenants: (exception) => {
      if (listed && !listed.includes(exception))
        throw new TypeError(
          `no plugin lists acrossTenants('${exception.reason}'): add it to its acrossTenants`,
        );
      return bound(handle, 'all', listed);
    },
  };
}

/** Returns a handle with a different scope, which executes as the handle does. */
export function bound(handle: Kysely<Tables>, scope: Scope, listed: ListedExceptions): Queries {
  // A database's own method refuses, because its callers would lose the check.
  const { prototype } = handle.isTransaction ? Transaction : Kysely;
  const bare: Kysely<Tables> = prototype.withoutPlugins.call(handle);
  const scoped = withTenantCheck(handle.getExecutor().plugins, scope).reduce(
    (queries, plugin) => queries.withPlugin(plugin),
    bare,
  );
  const executeQuery: Kysely<Tables>['executeQuery'] = (query, options) => {
    const compiled = compiledOf(query);
    if (scope === 'all') acceptUnchecked(compiled);
    return handle.executeQuery(compiled, options);
  };
  const queries = Object.assign(scoped, { executeQuery, ...choiceOf(handle, listed) });
  unbound.set(queries, handle);
  return queries;
}

function compiledOf<Row>(query: CompiledQuery<Row> | Compilable<Row>): CompiledQuery<Row> {
  return 'compile' in query ? query.compile() : query;
}
