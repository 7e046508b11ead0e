import { factsOf, literal } from './field-types.mts';
import type { Field } from './fields.mts';
import { indexesOf, indexOf } from './lists.mts';
import { braced, constraintOf, importFrom, type Resource } from './resource.mts';

/** The table's type. */
export function tableFile(resource: Resource): string {
  const { pascal, kebab, fields, isOwned } = resource;
  const owner = isOwned ? '  /** Its owner, with whom it is deleted. */\n  accountId: number;\n' : '';
  const hasJson = fields.some(({ type }) => type === 'json' || type === 'list');
  return `${importFrom('kysely', ['type Generated', hasJson && 'type JSONColumnType', 'type Selectable'])}
/** One ${kebab.replaceAll('-', ' ')}. */
export interface ${pascal}Table {
  id: Generated<number>;
${owner}${fields.map((field) => held(resource, field)).join('')}  /** Default: the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected ${kebab.replaceAll('-', ' ')}. */
export type ${pascal}Row = Selectable<${pascal}Table>;
`;
}

/** A member of the table's type. */
export function held(resource: Resource, field: Field): string {
  const { held: type } = factsOf(resource, field);
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
  if (field.isUnique) return `Unique (\`${constraintOf(resource, field)}\`).`;
  if (field.type === 'date') return 'A day such as `2026-11-21`.';
  if (field.type === 'decimal') return 'A decimal number such as `12.50`.';
  if (field.target === undefined) return '';
  const { camel } = field.target;
  return field.isNullable ? `\`null\` after the ${camel} was deleted.` : `Deleted with its ${camel}.`;
}

/** The migration that creates the table, on both stores. */
export function migrationFile(resource: Resource, functionName: string): string {
  const { table, fields, plural } = resource;
  const types = fields.map((field) => factsOf(resource, field).column);
  const words = [...new Set(['integer', 'timestamp', 'id', 'now', 'strictTypes', ...types])];
  return `import { type Columns, type MigrationContext } from './columns';

/** Creates the table of ${plural.replaceAll('-', ' ')}. */
export async function ${functionName}(db: MigrationContext, ${braced(words)}: Columns): Promise<void> {
  const table = db.schema
    .createTable('${table}')
    .$call(strictTypes)
    .addColumn('id', integer, id)
${ownerColumn(resource)}${fields.map((field) => addColumn(resource, field)).join('')}    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))${fields
    .filter(({ isUnique }) => isUnique)
    .map((field) => `\n    .addUniqueConstraint('${constraintOf(resource, field)}', ['${field.column}'])`)
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
  return [...owner, ...fields.flatMap((field) => indexesOf(resource, field))]
    .map(({ name, columns }) => {
      const list = columns.map((column) => `'${column}'`).join(', ');
      return `  await db.schema.createIndex('${name}').on('${table}').columns([${list}]).execute();\n`;
    })
    .join('');
}
