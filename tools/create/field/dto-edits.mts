import type { SourceFile } from 'ts-morph';
import { choiceList, filter, partClasses, received, shown } from '../resource/dto-file.mts';
import { importsOf } from '../resource/dto-imports.mts';
import { choicesName, partName } from '../resource/field-types.mts';
import { columnOf, type Field } from '../resource/fields.mts';
import { filtersOf, type Index, pairedIndexes, queryName, sortsOf } from '../resource/lists.mts';
import { constraintOf, type Resource } from '../resource/resource.mts';
import {
  addElement,
  addImport,
  addMember,
  insertBefore,
  keyOf,
  type SourceEdit,
  variable,
} from '../source/syntax.mts';

/** Adds a field to the classes of a resource, with its order or filter if the list has a query class. */
export function dtoEdit(resource: Resource, field: Field): readonly SourceEdit[] {
  const { pascal } = resource;
  const [addition, query] = [{ ...resource, fields: [field] }, queryName(resource)];
  const [isSort, isFilter] = [sortsOf(addition).length > 0, filtersOf(addition).length > 0];
  const inQuery = (text: string, edit: SourceEdit) => ({ text, edit, owner: query });
  const member = (owner: string, text: string, follower?: string) => ({
    text,
    owner,
    edit: (file: SourceFile) => addMember(file.getClass(owner), text, field.name, follower),
  });
  const parts = [
    member(pascal, shown(resource, field), 'createdAt'),
    member(`Create${pascal}`, received(resource, field, 'create')),
    member(`Update${pascal}`, received(resource, field, 'update')),
    ...(isSort ? [inQuery('@Sortable()', decorate(query, 'Sortable', field, [pascal]))] : []),
    ...(isFilter ? [inQuery('@Filterable()', decorate(query, 'Filterable', field, []))] : []),
    ...(isFilter ? [member(query, filter(resource, field))] : []),
  ];
  return [
    (file) =>
      field.type !== 'one-of' ||
      beforeClasses(file, choicesName(resource, field), `${choiceList(resource, field)}\n`),
    (file) =>
      field.type !== 'list' || beforeClasses(file, partName(resource, field), partClasses(resource, field)),
    (file) => {
      const present = parts.filter(({ owner }) => owner !== query || file.getClass(query) !== undefined);
      const texts = [partClasses(resource, field), ...present.map(({ text }) => text)].join('\n');
      const imports = importsOf(texts).flatMap(({ module, names }) =>
        names.map((name) => addImport(module, name)),
      );
      return [...present.map(({ edit }) => edit), ...imports].every((edit) => edit(file));
    },
  ];
}

/** Puts a declaration before the first class, unless its name is declared. */
function beforeClasses(file: SourceFile, name: string, declaration: string): boolean {
  const isThere = file.getClass(name) !== undefined || variable(file, name) !== undefined;
  return isThere || insertBefore(file.getClasses()[0], declaration);
}

/** Adds a name to a class decorator's arguments, or the decorator. */
function decorate(owner: string, decorator: string, { name }: Field, first: readonly string[]): SourceEdit {
  return (file) => {
    const type = file.getClass(owner);
    const call = type?.getDecorator(decorator)?.getCallExpression();
    if (call !== undefined) return addElement(call, `'${name}'`, name);
    if (type === undefined) return false;
    file.insertText(type.getStart(), `@${decorator}(${[...first, `'${name}'`].join(', ')})\n`);
    return true;
  };
}

/** The sources of a resource, with the new fields. */
interface ListSources {
  /** The source file with the wire classes. */
  readonly dto: SourceFile;
  /** The controller source, which names the unique constraints. */
  readonly controller: string;
}

/**
 * Returns the indexes for each pair (filter and order) that includes a new field.
 *
 * @param resource the resource with only its new fields
 * @throws Error if a name is too long for PostgreSQL
 */
export function addedPairs(resource: Resource, { dto, controller }: ListSources): readonly Index[] {
  const columnsIn = (decorator: string) =>
    (dto.getClass(queryName(resource))?.getDecorator(decorator)?.getArguments() ?? []).flatMap((argument) =>
      /^['"]/.test(argument.getText()) ? [columnOf(keyOf(argument))] : [],
    );
  const filters = columnsIn('Filterable').filter(
    (column) => !controller.includes(`'${constraintOf(resource, { column })}'`),
  );
  const added = new Set(resource.fields.map(({ column }) => column));
  const pairs = pairedIndexes({ ...resource, sorts: columnsIn('Sortable'), filters });
  return pairs.filter(({ columns }) => columns.some((column) => added.has(column)));
}
