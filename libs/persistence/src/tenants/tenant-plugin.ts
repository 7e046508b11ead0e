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

/** The statements that passed a handle's plugins, and may become parts in a different handle's statement. */
const checked = new WeakSet<OperationNode>();

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
export const checkedStatements: KyselyPlugin = {
  transformQuery({ node }) {
    if (hasTenantTables()) checked.add(node);
    return node;
  },
  async transformResult({ result }) {
    return result;
  },
};

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
  if (RawNode.is(query)) checked.add(query);
}

/** Returns a handle's plugins: its own, and the tenant checks. */
export function withTenantCheck(plugins: readonly KyselyPlugin[], scope: Scope = 'none'): KyselyPlugin[] {
  return [new TenantPlugin(scope), ...plugins, checkedStatements];
}
