import ts from 'typescript';
import { choiceList, filter, partClasses, received, shown } from '../resource/dto-file.mts';
import { importsOf } from '../resource/dto-imports.mts';
import { choicesName, partName } from '../resource/field-types.mts';
import type { Field } from '../resource/fields.mts';
import { filtersOf, queryName, sortsOf } from '../resource/lists.mts';
import type { Resource } from '../resource/resource.mts';
import {
  addElement,
  addImport,
  addMember,
  declared,
  findAll,
  inTurn,
  insertAt,
  nameOf,
  type SourceEdit,
} from '../source/syntax.mts';

/** Adds a field to the classes of a resource, with its order or filter if the list has a query class. */
export function dtoEdit(resource: Resource, field: Field): SourceEdit {
  const { pascal } = resource;
  const member =
    (owner: string, text: string, follower?: string): SourceEdit =>
    (source) =>
      addMember(source, declared(source, ts.isClassDeclaration, owner), text, {
        key: field.name,
        ...(follower !== undefined && { follower }),
      });
  return (source) => {
    const inQuery =
      declared(source, ts.isClassDeclaration, queryName(resource)) === undefined
        ? []
        : queryEdits(resource, field);
    const edits = [
      ...(field.type === 'one-of'
        ? [beforeClasses(choicesName(resource, field), `${choiceList(resource, field)}\n`)]
        : []),
      ...(field.type === 'list'
        ? [beforeClasses(partName(resource, field), partClasses(resource, field))]
        : []),
      member(pascal, shown(resource, field), 'createdAt'),
      member(`Create${pascal}`, received(resource, field, 'create')),
      member(`Update${pascal}`, received(resource, field, 'update')),
      ...inQuery,
    ];
    return inTurn(...edits, ...imports(resource, field, inQuery.length > 0))(source);
  };
}

/** Puts a declaration before the first class, unless its name is declared. */
function beforeClasses(name: string, declaration: string): SourceEdit {
  return (source) => {
    const classes = findAll(source, ts.isClassDeclaration);
    const isThere =
      declared(source, ts.isVariableDeclaration, name) ?? declared(source, ts.isClassDeclaration, name);
    if (isThere !== undefined) return source.text;
    return classes[0] && insertAt(source, classes[0].getStart(source, true), declaration);
  };
}

function queryEdits(resource: Resource, field: Field): readonly SourceEdit[] {
  const one = { ...resource, fields: [field] };
  const query = queryName(resource);
  const isFilter = filtersOf(one).length > 0;
  return [
    ...(sortsOf(one).length > 0 ? [decorate(query, 'Sortable', field, [resource.pascal])] : []),
    ...(isFilter ? [decorate(query, 'Filterable', field, [])] : []),
    ...(isFilter
      ? [
          (source: ts.SourceFile) =>
            addMember(source, declared(source, ts.isClassDeclaration, query), filter(resource, field), {
              key: field.name,
            }),
        ]
      : []),
  ];
}

/** Adds a name to the arguments of a class decorator, or the decorator. */
function decorate(owner: string, decorator: string, { name }: Field, first: readonly string[]): SourceEdit {
  return (source) => {
    const type = declared(source, ts.isClassDeclaration, owner);
    if (type === undefined) return undefined;
    const call = findAll(type, ts.isCallExpression).find(
      ({ expression }) => nameOf(expression) === decorator,
    );
    if (call !== undefined) return addElement(source, call.arguments, `'${name}'`, { key: name });
    return insertAt(source, type.getStart(source), `@${decorator}(${[...first, `'${name}'`].join(', ')})\n`);
  };
}

function imports(resource: Resource, field: Field, isListed: boolean): readonly SourceEdit[] {
  const one = { ...resource, fields: [field] };
  const texts = [
    partClasses(resource, field),
    shown(resource, field),
    received(resource, field, 'create'),
    received(resource, field, 'update'),
    ...(isListed && filtersOf(one).length > 0 ? [filter(resource, field), '@Filterable()'] : []),
    ...(isListed && sortsOf(one).length > 0 ? ['@Sortable()'] : []),
  ];
  return importsOf(texts.join('\n')).flatMap(({ module, names }) =>
    names.map((name) => addImport(module, name)),
  );
}
