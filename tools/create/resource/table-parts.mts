import ts from 'typescript';
import { addElement, declared, findAll, inTurn, type SourceEdit } from '../source/syntax.mts';
import type { Field } from './fields.mts';
import type { Resource } from './resource.mts';

type Table = Pick<Resource, 'camel'>;

/** Declares who may read the column of a field, and the members of a list of parts. */
export function secrecyEdit(table: Table, { name, parts = [] }: Field): SourceEdit {
  return inTurn(
    tableEntry(table, 'secrecy', `${name}: 'open'`, name, 'createdAt'),
    ...parts.map((part) => openMemberEdit(table, part.name)),
  );
}

/**
 * Adds an entry to an object that is declared of a table, such as its `migrations`, and the object if there is none.
 *
 * @param follower before which it is placed; default last
 */
export function tableEntry(
  table: Table,
  part: string,
  entry: string,
  key: string,
  follower?: string,
): SourceEdit {
  return (source) => {
    const parts = partsOf(source, table);
    const found = parts && declared(parts, ts.isPropertyAssignment, part)?.initializer;
    if (found === undefined)
      return addElement(source, parts?.properties, `${part}: { ${entry} }`, { key: part });
    const entries = ts.isObjectLiteralExpression(found) ? found.properties : undefined;
    return addElement(source, entries, entry, { key, ...(follower !== undefined && { follower }) });
  };
}

/** A member of a list of parts may have the name of a column that is not open. */
function openMemberEdit(table: Table, name: string): SourceEdit {
  return (source) => {
    const parts = partsOf(source, table);
    const list = parts && declared(parts, ts.isPropertyAssignment, 'openMembers')?.initializer;
    if (list === undefined)
      return addElement(source, parts?.properties, `openMembers: ['${name}']`, { key: 'openMembers' });
    const elements = ts.isArrayLiteralExpression(list) ? list.elements : undefined;
    return addElement(source, elements, `'${name}'`, { key: name });
  };
}

/** The second argument of `defineTable('task', …)`. */
function partsOf(source: ts.SourceFile, { camel }: Table): ts.ObjectLiteralExpression | undefined {
  const calls = findAll(source, ts.isCallExpression);
  const [, parts] =
    calls.find(
      ({ expression, arguments: [name] }) =>
        expression.getText() === 'defineTable' &&
        name !== undefined &&
        ts.isStringLiteralLike(name) &&
        name.text === camel,
    )?.arguments ?? [];
  return parts !== undefined && ts.isObjectLiteralExpression(parts) ? parts : undefined;
}
