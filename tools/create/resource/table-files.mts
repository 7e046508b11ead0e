import { factsOf, literal } from './field-types.mts';
import type { Field } from './fields.mts';
import { indexesOf, indexOf, pairedIndexesOf } from './lists.mts';
import { braced, constraintOf, importFrom, type Resource, uniqueColumns } from './resource.mts';

/** The variable that a table is declared by: `parkingTicketTable`. */
export function tableName({ camel }: Pick<Resource, 'camel'>): string {
  return `${camel}Table`;
}

/** The table: its type, who may read its columns, and the migration that creates it, on both stores. */
export function tableFile(resource: Resource, migration: string): string {
  const { pascal, camel, kebab, plural, fields, isOwned } = resource;
  const owner = isOwned ? '  /** Its owner, with whom it is deleted. */\n  accountId: number;\n' : '';
  const hasJson = fields.some(({ type }) => type === 'json' || type === 'list');
  const one = kebab.replaceAll('-', ' ');
  const columns = ['id', ...fields.map(({ name }) => name), 'createdAt'].map((column) => `${column}: 'open'`);
  const secrecy = [...(isOwned ? ["accountId: 'internal'"] : []), ...columns].join(', ');
  const members = fields.flatMap(({ parts = [] }) => parts.map(({ name }) => `'${name}'`));
  const exported = isOwned ? `{ part: '${plural}' }` : "{ not: 'is managed by administrators' }";
  return `import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
${importFrom('kysely', ['type Generated', hasJson && 'type JSONColumnType', 'type Selectable'])}
/** One ${one}. */
export interface ${pascal}Table {
  id: Generated<number>;
${owner}${fields.map((field) => memberOf(resource, field)).join('')}  /** Default: the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected ${one}. */
export type ${pascal}Row = Selectable<${pascal}Table>;

declare module '@app/persistence' {
  interface Tables {
    ${camel}: ${pascal}Table;
  }
}

export const ${tableName(resource)} = defineTable('${camel}', {
  secrecy: { ${secrecy} },
  exported: ${exported},
${members.length > 0 ? `  openMembers: [${[...new Set(members)].join(', ')}],\n` : ''}  migrations: { '${migration}': { apply: create${resource.pluralPascal} } },
});

${creation(resource)}`;
}

/** A member of the table's type. */
export function memberOf(resource: Resource, field: Field): string {
  const { rowType: type } = factsOf(resource, field);
  const doc = docOf(resource, field);
  return `${doc && `  /** ${doc} */\n`}  ${field.name}: ${columnType(field, type)};\n`;
}

function columnType({ type, isNullable, initial }: Field, stored: string): string {
  if (type === 'list') return `JSONColumnType<${stored}, string | undefined>`;
  if (type === 'json')
    return isNullable
      ? `JSONColumnType<${stored} | null, string | null, string | null>`
      : `JSONColumnType<${stored}>`;
  return initial === undefined ? `${stored}${isNullable ? ' | null' : ''}` : `Generated<${stored}>`;
}

function docOf(resource: Resource, field: Field): string {
  if (field.initial !== undefined) return `Default: ${literal(field.initial).replaceAll("'", '`')}.`;
  if (field.backfill !== undefined)
    return `Default of rows that were there before: ${literal(field.backfill).replaceAll("'", '`')}.`;
  if (field.isUnique)
    return `Unique${resource.isOwned ? ' for its owner' : ''} (\`${constraintOf(resource, field)}\`).`;
  if (field.type === 'date') return 'A day such as `2026-11-21`.';
  if (field.type === 'decimal') return 'A decimal number such as `12.50`.';
  if (field.target === undefined) return '';
  const { camel } = field.target;
  return field.isNullable ? `\`null\` after the ${camel} was deleted.` : `Deleted with its ${camel}.`;
}

function creation(resource: Resource): string {
  const { table, fields, pluralPascal } = resource;
  const types = fields.map((field) => factsOf(resource, field).column);
  const words = [...new Set(['integer', 'timestamp', 'id', 'now', 'strictTypes', ...types])];
  return `async function create${pluralPascal}(db: MigrationContext, ${braced(words)}: Columns): Promise<void> {
  const table = db.schema
    .createTable('${table}')
    .$call(strictTypes)
    .addColumn('id', integer, id)
${ownerColumn(resource)}${fields.map((field) => addColumn(resource, field)).join('')}    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))${fields
    .filter(({ isUnique }) => isUnique)
    .map(
      (field) =>
        `\n    .addUniqueConstraint('${constraintOf(resource, field)}', [${quoted(uniqueColumns(resource, field))}])`,
    )
    .join('')};
  await table.execute();
${indexes(resource)}}
`;
}

function ownerColumn({ isOwned }: Resource): string {
  return isOwned
    ? `    .addColumn('account_id', integer, (column) => column.notNull().references('account.id').onDelete('cascade'))\n`
    : '';
}

/** The column of a field; for a reference with its foreign key. */
export function addColumn(resource: Resource, field: Field): string {
  const { column: name, isNullable, target, initial, backfill } = field;
  const reference = target
    ? `.references('${target.table}.id').onDelete('${isNullable ? 'set null' : 'cascade'}')`
    : '';
  const value = field.type === 'list' ? '[]' : (initial ?? backfill);
  const fallback = value === undefined ? '' : `.defaultTo(${literal(value)})`;
  const modifiers = `${isNullable ? '' : '.notNull()'}${fallback}${reference}`;
  const { column: type } = factsOf(resource, field);
  return `    .addColumn('${name}', ${type}${modifiers && `, (column) => column${modifiers}`})\n`;
}

function indexes(resource: Resource): string {
  const { table, isOwned, fields } = resource;
  const owner = isOwned ? [indexOf(table, ['account_id', 'id'])] : [];
  return [...owner, ...fields.flatMap((field) => indexesOf(resource, field)), ...pairedIndexesOf(resource)]
    .map(({ name, columns }) => {
      return `  await db.schema.createIndex('${name}').on('${table}').columns([${quoted(columns)}]).execute();\n`;
    })
    .join('');
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `'${column}'`).join(', ');
}
