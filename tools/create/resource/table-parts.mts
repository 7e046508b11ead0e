import { Node, type SourceFile, SyntaxKind } from 'ts-morph';
import { addElement, keyOf, type SourceEdit } from '../source/syntax.mts';
import type { Field } from './fields.mts';
import type { Resource } from './resource.mts';

type Table = Pick<Resource, 'camel'>;

/** Declares who may read a field's column and its list members, because a member may have the same name as a column. */
export function secrecyEdits(table: Table, { name, parts = [] }: Field): readonly SourceEdit[] {
  return [
    tableEntry(table, 'secrecy', `${name}: 'open'`, name, 'createdAt'),
    ...parts.map((part) => tableEntry(table, 'openMembers', `'${part.name}'`, part.name)),
  ];
}

/**
 * Adds an entry to an object or a list in a table declaration, such as `migrations`. Creates the object if it is missing.
 *
 * @param follower the entry before which it is placed; default last
 */
export function tableEntry(
  table: Table,
  part: string,
  entry: string,
  key: string,
  follower?: string,
): SourceEdit {
  const [open, close] = part === 'openMembers' ? '[]' : '{}';
  return (file) => {
    const parts = partsOf(file, table);
    const property = parts?.getProperty(part);
    if (property === undefined) return addElement(parts, `${part}: ${open} ${entry} ${close}`, part);
    return Node.isPropertyAssignment(property) && addElement(property.getInitializer(), entry, key, follower);
  };
}

/** The second argument of `defineTable('task', …)`. */
function partsOf(file: SourceFile, { camel }: Table) {
  const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression);
  const definitions = calls.filter((call) => call.getExpression().getText() === 'defineTable');
  const [, parts] =
    definitions.map((call) => call.getArguments()).find(([name]) => name && keyOf(name) === camel) ?? [];
  return Node.isObjectLiteralExpression(parts) ? parts : undefined;
}
