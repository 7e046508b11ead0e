import { fileOf } from '../source/template.mts';
import { factsOf, literal } from './field-types.mts';
import type { Field } from './fields.mts';
import { indexesOf, indexOf, pairedIndexesOf } from './lists.mts';
import {
  braced,
  constraintOf,
  ownerParts,
  refsOf,
  type Resource,
  storedName,
  uniqueColumns,
} from './resource.mts';

/** Renders the table file: the type, the readers of each column, and the migration that creates the table on both stores. */
export function tableFile(resource: Resource, migration: string): string {
  const { pascal, camel, kebab, plural, pluralPascal, table, fields, owner } = resource;
  const parts = ownerParts(resource);
  const columns = ['id', ...fields.map(({ name }) => name), 'createdAt'].map((column) => `${column}: 'open'`);
  const open = fields.flatMap((field) => (field.parts ?? []).map(({ name }) => `'${name}'`));
  const types = fields.map((field) => factsOf(resource, field).column);
  const uniques = fields.filter(({ isUnique }) => isUnique).map((field) => uniqueOf(resource, field));
  return fileOf('resource/table.ts', {
    pascal,
    camel,
    plural,
    pluralPascal,
    table,
    migration,
    ...parts,
    one: kebab.replaceAll('-', ' '),
    hasJson: fields.some(({ type }) => type === 'json' || type === 'list'),
    members: fields
      .map((field) => memberOf(resource, field))
      .join('')
      .trimEnd(),
    secrecy: [...(owner ? [`${owner}Id: 'internal'`] : []), ...columns].join(', '),
    open: [...new Set(open)].join(', '),
    columns: braced([
      ...new Set([
        ...(parts.isTenant ? ['ownedBy'] : ['integer', 'id']),
        'timestamp',
        'now',
        'strictTypes',
        ...types,
      ]),
    ]),
    added: fields
      .map((field) => addColumn(resource, field))
      .join('')
      .trimEnd(),
    uniques: [...uniques, ...tenantKeys(resource)].join(''),
    indexes: indexes(resource),
  });
}

function uniqueOf(resource: Resource, field: Field): string {
  return `\n    .addUniqueConstraint('${constraintOf(resource, field)}', [${quoted(uniqueColumns(resource, field))}])`;
}

/** Renders the foreign keys between tenant tables. They include the tenant, so that no row refers to a foreign row. */
function tenantKeys(resource: Resource): readonly string[] {
  const refs = refsOf(resource).filter(({ target }) => target.owner === 'organization');
  return refs.map(({ column, target: { table } }) => {
    const name = storedName(resource.table, column, 'fkey');
    return `\n    .addForeignKeyConstraint('${name}', ['organization_id', '${column}'], '${table}', ['organization_id', 'id'], (key) => key.onDelete('cascade'))`;
  });
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
    return `Unique${resource.owner ? ` for its ${resource.owner === 'account' ? 'owner' : 'organization'}` : ''} (\`${constraintOf(resource, field)}\`).`;
  if (field.type === 'date') return 'A day such as `2026-11-21`.';
  if (field.type === 'decimal') return 'A decimal number such as `12.50`.';
  if (field.target === undefined) return '';
  const { camel, owner } = field.target;
  return field.isNullable && owner !== 'organization'
    ? `\`null\` after the ${camel} was deleted.`
    : `Deleted with its ${camel}.`;
}

/** A field's column; for a reference with its foreign key. */
export function addColumn(resource: Resource, field: Field): string {
  const { column: name, isNullable, target, initial, backfill } = field;
  const reference =
    target && target.owner !== 'organization'
      ? `.references('${target.table}.id').onDelete('${isNullable ? 'set null' : 'cascade'}')`
      : '';
  const value = field.type === 'list' ? '[]' : (initial ?? backfill);
  const fallback = value === undefined ? '' : `.defaultTo(${literal(value)})`;
  const modifiers = `${isNullable ? '' : '.notNull()'}${fallback}${reference}`;
  const { column: type } = factsOf(resource, field);
  return `    .addColumn('${name}', ${type}${modifiers && `, (column) => column${modifiers}`})\n`;
}

function indexes(resource: Resource): string {
  const { table, owner: kind, fields } = resource;
  const owner = kind === 'account' ? [indexOf(table, ['account_id', 'id'])] : [];
  return [...owner, ...fields.flatMap((field) => indexesOf(resource, field)), ...pairedIndexesOf(resource)]
    .map(({ name, columns }) => {
      return `  await db.schema.createIndex('${name}').on('${table}').columns([${quoted(columns)}]).execute();`;
    })
    .join('\n');
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `'${column}'`).join(', ');
}
