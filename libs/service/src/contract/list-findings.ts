import type { ContractFinding, RouteDescription } from '@app/contract';
import { filtersOf, type MissingIndex, missingIndexes, sortKeysOf } from '@app/paging';
import type { Database } from '@app/persistence';
import type { Finding } from '@app/engine';
import { located, type RouteFinding } from './contract-findings';

const code = 'SLUICE-C405';

/** Finds list orders and filters without an index. They would let any caller sort all rows of a table. */
export async function listFindings(
  routes: readonly RouteDescription[],
  db: Database,
): Promise<readonly ContractFinding[]> {
  const routeFindings: RouteFinding[] = [];
  for (const route of routes) {
    const { type } = route.query ?? {};
    if (type === undefined || (sortKeysOf(type).size === 0 && filtersOf(type).length === 0)) continue;
    const missing = await missingIndexes(db, type);
    const findings = missing?.map((index) => unindexed(route, type, index)) ?? [unlinked(type)];
    routeFindings.push(...findings.map((finding) => ({ finding, route })));
  }
  return located(routeFindings);
}

function unlinked(type: Function): Finding {
  return {
    code,
    problem: `${type.name} has orders or filters, and no sortedList is read by it`,
    remedy: `Name it in the options of the list, { queries: [${type.name}] }, or declare the members without @Sortable and @Filterable`,
    place: { type },
  };
}

function unindexed({ path }: RouteDescription, type: Function, missing: MissingIndex): Finding {
  const { sort, filter, table, columns } = missing;
  const query = [
    ...(filter === undefined ? [] : [`${filter}=…`]),
    ...(sort === undefined ? [] : [`sort=${sort}`]),
  ];
  const name = [table, ...columns].join('_');
  const list = columns.map((column) => `'${column}'`).join(', ');
  return {
    code,
    problem: `${[path, ...(query.length > 0 ? [query.join('&')] : [])].join('?')} has no index`,
    remedy: `Add a migration: await db.schema.createIndex('${name}').on('${table}').columns([${list}]).execute()`,
    place: { type },
  };
}
