import {
  type CompiledQuery,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';
import { hasTenantTables } from '../schema/tenant-tables';
import { BindingTransformer, TenantTransformer } from './tenant-transformer';

/** The tenants that a handle's statements concern: no tenant, a single tenant, or all. */
export type Scope = 'none' | 'all' | { readonly tenantId: unknown };

/** The statements that passed a handle's plugins, with its scope. They may become parts in a different handle's statement. */
const checked = new WeakMap<OperationNode, Scope>();

/** A compiled query that is executed for a different tenant each time, with the scope of this execution. */
export interface ScopedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly executionScope?: Scope;
}

/** Returns the scope in which a statement is executed; `undefined` if it passed no handle's plugins. */
export function scopeOfStatement({ query, executionScope }: ScopedQuery): Scope | undefined {
  return executionScope ?? checked.get(query);
}

/** Refuses statements on tenant tables, or binds them to a tenant. Each handle's first plugin. */
export class TenantPlugin implements KyselyPlugin {
  readonly scope: Scope;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    const { scope } = this;
    if (scope === 'all' || checked.has(node) || !hasTenantTables()) return node;
    const transformer =
      scope === 'none' ? new TenantTransformer(checked) : new BindingTransformer(checked, scope.tenantId);
    return transformer.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

/** Remembers that a statement is checked. Each handle's last plugin. */
class CheckedStatements implements KyselyPlugin {
  private readonly scope: Scope;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (hasTenantTables()) checked.set(node, this.scope);
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

/**
 * Refuses statements on tenant tables that bypassed the plugins, such as `CompiledQuery.raw`.
 *
 * @throws {TenantTableError}
 */
export function refuseUnchecked({ query }: CompiledQuery): void {
  if (!checked.has(query) && hasTenantTables()) new TenantTransformer(checked).transformNode(query);
}

/** Accepts SQL text for all tenants. */
export function acceptUnchecked({ query }: CompiledQuery): void {
  if (RawNode.is(query)) checked.set(query, 'all');
}

/** Returns a handle's plugins: its own, and the tenant checks, which replace the checks of another scope. */
export function withTenantCheck(plugins: readonly KyselyPlugin[], scope: Scope = 'none'): KyselyPlugin[] {
  const own = plugins.filter(
    (plugin) => !(plugin instanceof TenantPlugin || plugin instanceof CheckedStatements),
  );
  return [new TenantPlugin(scope), ...own, new CheckedStatements(scope)];
}
