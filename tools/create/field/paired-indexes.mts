import ts from 'typescript';
import { columnOf } from '../resource/fields.mts';
import { type Index, pairedIndexes, queryName } from '../resource/lists.mts';
import { constraintOf, type Resource } from '../resource/resource.mts';
import { declared, findAll, nameOf } from '../source/syntax.mts';

/** The sources of a resource, with the new fields. */
interface ListSources {
  /** Of the wire classes. */
  readonly dto: ts.SourceFile;
  /** Which names the unique constraints. */
  readonly controller: string;
}

/**
 * The indexes of each filter together with each order of a list, as far as a new field takes part.
 *
 * @param resource with its new fields alone
 * @throws Error if a name is too long for PostgreSQL
 */
export function addedPairs(resource: Resource, { dto, controller }: ListSources): readonly Index[] {
  const query = declared(dto, ts.isClassDeclaration, queryName(resource));
  const filters = columnsIn(query, 'Filterable').filter(
    (column) => !controller.includes(`'${constraintOf(resource, { column })}'`),
  );
  const added = new Set(resource.fields.map(({ column }) => column));
  const pairs = pairedIndexes({ ...resource, sorts: columnsIn(query, 'Sortable'), filters });
  return pairs.filter(({ columns }) => columns.some((column) => added.has(column)));
}

/** The columns that a decorator of a class names. */
function columnsIn(type: ts.ClassDeclaration | undefined, decorator: string): string[] {
  const calls = type ? findAll(type, ts.isCallExpression) : [];
  const call = calls.find(({ expression }) => nameOf(expression) === decorator);
  return (call?.arguments ?? []).flatMap((given) =>
    ts.isStringLiteral(given) ? [columnOf(given.text)] : [],
  );
}
