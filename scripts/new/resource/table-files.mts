import { factsOf } from './field-types.mts';
import type { Field } from './fields.mts';
import { braced, constraintOf, refsOf, type Resource } from './resource.mts';

/** The table's type. */
export function tableFile(resource: Resource): string {
  const { pascal, kebab, fields, isOwned } = resource;
  const owner = isOwned ? '  /** Its owner, with whom it is deleted. */\n  accountId: number;\n' : '';
  return `import { type Generated, type Selectable } from 'kysely';

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

function held(resource: Resource, field: Field): string {
  const { held: type } = factsOf(resource, field);
  const doc = docOf(resource, field);
  return `${doc && `  /** ${doc} */\n`}  ${field.name}: ${type}${field.isNullable ? ' | null' : ''};\n`;
}

function docOf(resource: Resource, field: Field): string {
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
${ownerColumn(resource)}${fields.map((field) => column(resource, field)).join('')}    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))${fields
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
function column(resource: Resource, field: Field): string {
  const { column: name, isNullable, target } = field;
  const reference = target
    ? `.references('${target.table}.id').onDelete('${isNullable ? 'set null' : 'cascade'}')`
    : '';
  const modifiers = `${isNullable ? '' : '.notNull()'}${reference}`;
  const { column: type } = factsOf(resource, field);
  return `    .addColumn('${name}', ${type}${modifiers && `, (column) => column${modifiers}`})\n`;
}

/** Of the columns that lists select by, and of those that rows are deleted by. */
function indexes(resource: Resource): string {
  const { table, isOwned } = resource;
  const columns = [...(isOwned ? ['account_id'] : []), ...refsOf(resource).map(({ column: name }) => name)];
  return columns
    .map(
      (name) =>
        `  await db.schema.createIndex('${table}_${name}_id').on('${table}').columns(['${name}', 'id']).execute();\n`,
    )
    .join('');
}
