/** A table whose rows belong to a tenant. */
export interface TenantTable {
  readonly name: string;
  /** The column with the tenant's id. */
  readonly column: string;
}

/** The declared tenant tables by their plain name. */
const declared = new Map<string, TenantTable>();

/** Adds a tenant table, for every handle in this process. */
export function addTenantTable(table: TenantTable): void {
  declared.set(plain(table.name), table);
}

/** Whether there are tenant tables. A program without them pays nothing. */
export function hasTenantTables(): boolean {
  return declared.size > 0;
}

/** Returns the tenant table with a name in any spelling: `projectTask`, `project_task` or, as SQLite allows, `PROJECT_TASK`. */
export function tenantTable(name: string): TenantTable | undefined {
  return declared.get(plain(name));
}

/** Whether two spellings name the same column. */
export function isSameName(name: string, column: string): boolean {
  return plain(name) === plain(column);
}

/** Finds a tenant table that SQL text names outside its string literals and comments. */
export function tenantTableIn(text: string): TenantTable | undefined {
  for (const [token, quoted] of text.matchAll(tokens)) {
    const isName = quoted !== undefined || (/^[a-z_]/i.test(token) && !keywords.has(token.toLowerCase()));
    const table = isName ? tenantTable(quoted ?? token) : undefined;
    if (table) return table;
  }
  return undefined;
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** String literals, comments, quoted names, and words. */
const tokens = /'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\/|"((?:[^"]|"")+)"|\w+/gs;

/** Words that name a table in quotes only, on both databases. */
const keywords = new Set(['check', 'default', 'group', 'order', 'references', 'set', 'table', 'values']);
