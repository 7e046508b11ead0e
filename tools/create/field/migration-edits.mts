import type { Draft } from '../source/draft.mts';
import { nextMigration, registerMigrations } from '../migrations.mts';
import { factsOf } from '../resource/field-types.mts';
import type { Field } from '../resource/fields.mts';
import { type Index, indexesOf } from '../resource/lists.mts';
import { braced, constraintOf, listed, type Resource, uniqueColumns } from '../resource/resource.mts';
import { addColumn } from '../resource/table-files.mts';
import { dtoPath, filesOf, migrationPath } from '../resource/places.mts';
import { addedPairs } from './dto-edits.mts';
import { parse } from '../source/syntax.mts';
import { fileOf } from '../source/template.mts';

/** An index to build, by `concurrentIndex`. */
type NewIndex = Index & { readonly isUnique?: boolean };

/**
 * Drafts the migration that adds the field columns, and the migration that builds their indexes without blocking writers.
 *
 * @param isListed whether the resource list has orders and filters
 * @returns the migrations' names
 */
export function draftMigrations(draft: Draft, resource: Resource, isListed: boolean): readonly string[] {
  const { plural, pluralPascal, fields } = resource;
  const [kebab, pascal] = namesOf(fields);
  const columns = {
    migration: nextMigration(draft, resource, `${plural}-${kebab}`),
    name: `add${pluralPascal}${pascal}`,
  };
  const paired = isListed ? addedPairs(resource, sourcesOf(draft, resource)) : [];
  const indexes = [...fields.flatMap((field) => indexesFor(resource, field, isListed)), ...paired];
  const indexName = `index${pluralPascal}${pascal}`;
  draft.write(
    migrationPath(resource, columns.migration),
    fileText(resource, columns.name, indexName, indexes),
  );
  if (indexes.length === 0) {
    registerMigrations(draft, resource, [columns]);
    return [columns.migration];
  }
  const number = String(Number.parseInt(columns.migration, 10) + 1).padStart(4, '0');
  const migration = `${number}-${plural}-${kebab}-index`;
  registerMigrations(draft, resource, [columns, { migration, name: indexName, isConcurrent: true }]);
  return [columns.migration, migration];
}

function sourcesOf(draft: Draft, resource: Resource) {
  const controller = draft.read(`${filesOf(resource)}.controller.ts`);
  return { dto: parse(draft.read(dtoPath(resource))), controller };
}

/** Returns both spellings: `due-on` and `DueOn`. For several fields, names the first field and counts the rest. */
function namesOf(fields: readonly Field[]): readonly [string, string] {
  const [kebab = '', pascal = ''] = fields.flatMap(({ name, column }) => [
    column.replaceAll('_', '-'),
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  ]);
  const others = fields.length - 1;
  return others === 0 ? [kebab, pascal] : [`${kebab}-and-${others}-more`, `${pascal}And${others}More`];
}

/** Returns the indexes for a field. A reference always has an index, which serves the deletion of its target. */
function indexesFor(resource: Resource, field: Field, isListed: boolean): readonly NewIndex[] {
  const unique = field.isUnique
    ? [{ name: constraintOf(resource, field), columns: uniqueColumns(resource, field), isUnique: true }]
    : [];
  return [...unique, ...(isListed || field.target !== undefined ? indexesOf(resource, field) : [])];
}

function fileText(resource: Resource, name: string, indexName: string, indexes: readonly NewIndex[]): string {
  const { fields, table, plural } = resource;
  const added = fields.map(
    (field) => `  await db.schema.alterTable('${table}')${addColumn(resource, field).trim()}.execute();`,
  );
  return fileOf('resource/migration.ts', {
    name,
    indexName,
    listed: listed(fields),
    many: plural.replaceAll('-', ' '),
    types: braced([...new Set(fields.map((field) => factsOf(resource, field).column))]),
    added: added.join('\n'),
    isOne: indexes.length === 1,
    indexes: indexes.map((index) => indexText(table, index)).join(', '),
  });
}

function indexText(table: string, { name, columns, isUnique = false }: NewIndex): string {
  const list = columns.map((column) => `'${column}'`).join(', ');
  return `{ name: '${name}', table: '${table}', columns: [${list}]${isUnique ? ', isUnique: true' : ''} }`;
}
