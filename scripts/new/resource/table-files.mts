import type { Field, FieldType } from './fields.mts';
import { braced, constraintOf, type Resource } from './resource.mts';

const HELD: Readonly<Record<FieldType, string>> = {
  text: 'string',
  integer: 'number',
  boolean: 'boolean',
  timestamp: 'Date',
};

/** The table's type. Field types have the names of the column types in `Columns`. */
export function tableFile(resource: Resource): string {
  const { pascal, kebab, fields } = resource;
  return `import { type Generated, type Selectable } from 'kysely';

/** One ${kebab.replaceAll('-', ' ')}. */
export interface ${pascal}Table {
  id: Generated<number>;
${fields.map((field) => held(resource, field)).join('')}  /** Default: the time of the insert. */
  createdAt: Generated<Date>;
}

/** A selected ${kebab.replaceAll('-', ' ')}. */
export type ${pascal}Row = Selectable<${pascal}Table>;
`;
}

function held(resource: Resource, field: Field): string {
  const doc = field.isUnique ? `  /** Unique (\`${constraintOf(resource, field)}\`). */\n` : '';
  return `${doc}  ${field.name}: ${HELD[field.type]}${field.isNullable ? ' | null' : ''};\n`;
}

/** The migration that creates the table, on both stores. */
export function migrationFile(resource: Resource, functionName: string): string {
  const { table, fields, plural } = resource;
  const words = [
    ...new Set(['integer', 'timestamp', 'id', 'now', 'strictTypes', ...fields.map(({ type }) => type)]),
  ];
  return `import { type Columns, type MigrationContext } from './columns';

/** Creates the table of ${plural.replaceAll('-', ' ')}. */
export async function ${functionName}(db: MigrationContext, ${braced(words)}: Columns): Promise<void> {
  const table = db.schema
    .createTable('${table}')
    .$call(strictTypes)
    .addColumn('id', integer, id)
${fields.map(column).join('')}    .addColumn('created_at', timestamp, (column) => column.notNull().defaultTo(now))${fields
    .filter(({ isUnique }) => isUnique)
    .map((field) => `\n    .addUniqueConstraint('${constraintOf(resource, field)}', ['${field.column}'])`)
    .join('')};
  await table.execute();
}
`;
}

function column({ column: name, type, isNullable }: Field): string {
  return `    .addColumn('${name}', ${type}${isNullable ? '' : ', (column) => column.notNull()'})\n`;
}
