import ts from 'typescript';
import { initialText } from '../resource/field-types.mts';
import type { Field } from '../resource/fields.mts';
import { filtersOf, sortsOf } from '../resource/lists.mts';
import type { Resource } from '../resource/resource.mts';
import { filters, initials, nullables, orders, references, uniques, wrong } from '../resource/spec-file.mts';
import { membersEdit } from './test-edits.mts';
import {
  addElement,
  declared,
  findAll,
  inTurn,
  insertAt,
  nameOf,
  type SourceEdit,
} from '../source/syntax.mts';

/** Adds a field to the tests of a generated resource; a test that it lacks is added. */
export function specEdit(resource: Resource, field: Field, isListed: boolean): SourceEdit {
  const one = { ...resource, fields: [field] };
  const { name } = field;
  const initial = initialText(field);
  const isOneOf = (fields: readonly Field[]) => isListed && fields.length > 0;
  return inTurn(
    membersEdit(field),
    inObject((source) => declared(source, ts.isVariableDeclaration, 'wrong'), wrong(resource, field), name),
    ...(field.isNullable
      ? [
          inTest(
            'may lack optional fields',
            nullables(one),
            { nothing: `${name}: null`, sparse: `${name}: undefined` },
            name,
          ),
        ]
      : []),
    ...(initial === undefined
      ? []
      : [
          inTest(
            'have defaults',
            initials(one),
            { sparse: `${name}: undefined`, initial: `${name}: ${initial}` },
            name,
          ),
        ]),
    ...(isOneOf(sortsOf(one)) ? [inEach('are sorted by', orders(one), name)] : []),
    ...(isOneOf(filtersOf(one)) ? [inEach('are filtered by', filters(one), name)] : []),
    ...(field.isUnique ? [inEach('reject a %s that is taken', uniques(one), name)] : []),
    ...(field.target === undefined ? [] : [addTest(references(one)), nameReferences]),
  );
}

/** Adds a member to the object of a variable. */
function inObject(
  find: (source: ts.SourceFile) => ts.VariableDeclaration | undefined,
  member: string,
  key: string,
): SourceEdit {
  return (source) => {
    const object = find(source)?.initializer;
    const properties =
      object !== undefined && ts.isObjectLiteralExpression(object) ? object.properties : undefined;
    return addElement(source, properties, member, { key });
  };
}

/** Adds a member to variables of a test, or the test. */
function inTest(
  title: string,
  test: string,
  members: Readonly<Record<string, string>>,
  key: string,
): SourceEdit {
  return (source) =>
    testOf(source, title) === undefined
      ? addTest(test)(source)
      : inTurn(
          ...Object.entries(members).map(([variable, member]) =>
            inObject((now) => variableOf(testOf(now, title), variable), member, key),
          ),
        )(source);
}

function variableOf(test: ts.CallExpression | undefined, name: string): ts.VariableDeclaration | undefined {
  return test && declared(test, ts.isVariableDeclaration, name);
}

/** Adds a value to the cases of a test, or the test. */
function inEach(title: string, test: string, value: string): SourceEdit {
  return (source) => {
    const found = testOf(source, title);
    if (found === undefined) return addTest(test)(source);
    const [cases] = findAll(found.expression, ts.isArrayLiteralExpression);
    return addElement(source, cases?.elements, `'${value}'`, { key: value });
  };
}

/** The call of a test whose title begins with a text. */
function testOf(source: ts.SourceFile, title: string): ts.CallExpression | undefined {
  return findAll(source, ts.isCallExpression).find(
    ({ arguments: [first] }) =>
      first !== undefined && ts.isStringLiteralLike(first) && first.text.startsWith(title),
  );
}

/** Appends a test to the first `describe`. */
function addTest(test: string): SourceEdit {
  return (source) => {
    const suite = findAll(source, ts.isCallExpression).find(
      ({ expression }) => nameOf(expression) === 'describe',
    );
    const [body] = suite === undefined ? [] : findAll(suite, ts.isBlock);
    return body && insertAt(source, body.statements.end, `\n${test}`);
  };
}

/** A violated foreign key has no name, so its message names all references. */
function nameReferences(source: ts.SourceFile): string {
  const pattern = /(?<=')(\w+(?: or \w+)*)(?= does not exist')/g;
  const names = new Set([...source.text.matchAll(pattern)].flatMap(([all]) => all.split(' or ')));
  return source.text.replaceAll(pattern, [...names].join(' or '));
}
