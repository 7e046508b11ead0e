import ts from 'typescript';
import type { Field } from '../resource/fields.mts';
import { type Resource, sampleName } from '../resource/resource.mts';
import { created, member } from '../resource/sample-file.mts';
import {
  addElement,
  addImport,
  declared,
  findAll,
  inTurn,
  insertAt,
  nameOf,
  type SourceEdit,
} from '../source/syntax.mts';

/** Adds a field to the function that makes a valid body; what it refers to is created first. */
export function sampleEdit(resource: Resource, field: Field): SourceEdit {
  const { target } = field;
  return inTurn(
    ...(target === undefined
      ? []
      : [
          (source: ts.SourceFile) => source.text.replaceAll('_clients', 'clients'),
          referred(resource, field),
          ...(target.pascal === resource.pascal
            ? []
            : [addImport(`./${target.table.replaceAll('_', '-')}`, sampleName(target))]),
        ]),
    (source) => {
      const [body] = returns(source, resource).flatMap(({ expression }) =>
        expression ? findAll(expression, ts.isObjectLiteralExpression) : [],
      );
      return addElement(source, body?.properties, member(resource, field), { key: field.name });
    },
  );
}

function returns(source: ts.SourceFile, { pascal }: Resource): ts.ReturnStatement[] {
  const made = declared(source, ts.isFunctionDeclaration, sampleName({ pascal }));
  return made === undefined ? [] : findAll(made, ts.isReturnStatement);
}

/** The statement that creates what a field refers to. */
function referred(resource: Resource, field: Field): SourceEdit {
  return (source) => {
    const { target } = field;
    const [last] = returns(source, resource);
    if (target === undefined || declared(source, ts.isVariableDeclaration, field.name) !== undefined)
      return source.text;
    return last && insertAt(source, last.getStart(), created({ ...field, target }).trimStart() + '  ');
  };
}

/** The members of the response, as the spec of a generated resource lists them. */
export function membersEdit({ name }: Field): SourceEdit {
  return (source) => {
    const lists = findAll(source, ts.isArrayLiteralExpression);
    const members = lists.find(
      ({ elements: [first, ...others] }) =>
        first !== undefined && nameOf(first) === 'id' && others.some((one) => nameOf(one) === 'createdAt'),
    );
    return addElement(source, members?.elements, `'${name}'`, { key: name, follower: 'createdAt' });
  };
}
