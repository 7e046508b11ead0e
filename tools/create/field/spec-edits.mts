import { type CallExpression, Node, type SourceFile, SyntaxKind } from 'ts-morph';
import { initialText } from '../resource/field-types.mts';
import type { Field } from '../resource/fields.mts';
import { filtersOf, sortsOf } from '../resource/lists.mts';
import { type Resource, sampleName } from '../resource/resource.mts';
import { created, member } from '../resource/sample-file.mts';
import { filters, initials, nullables, orders, references, uniques, wrong } from '../resource/spec-file.mts';
import { addElement, addImport, insertBefore, keyOf, type SourceEdit, variable } from '../source/syntax.mts';

/** Adds a field to a generated resource's tests; a test that it lacks is added. */
export function specEdit(resource: Resource, field: Field, isListed: boolean): readonly SourceEdit[] {
  const addition = { ...resource, fields: [field] };
  const { name } = field;
  const initial = initialText(field);
  return [
    (file) => addElement(membersIn(file), `'${name}'`, name, 'createdAt'),
    (file) => addElement(variable(file, 'wrong'), wrong(resource, field), name),
    ...(field.isNullable
      ? [
          inTest('may lack optional fields', nullables(addition), name, {
            nothing: 'null',
            sparse: 'undefined',
          }),
        ]
      : []),
    ...(initial === undefined
      ? []
      : [inTest('have defaults', initials(addition), name, { sparse: 'undefined', initial })]),
    ...(isListed && sortsOf(addition).length > 0 ? [inEach('are sorted by', orders(addition), name)] : []),
    ...(isListed && filtersOf(addition).length > 0
      ? [inEach('are filtered by', filters(addition), name)]
      : []),
    ...(field.isUnique ? [inEach('reject a %s that is taken', uniques(addition), name)] : []),
    ...(field.target ? [(file: SourceFile) => addTest(file, references(addition)), nameReferences] : []),
  ];
}

/** Finds the response members in a generated resource's spec. */
function membersIn(file: SourceFile): Node | undefined {
  return file.getDescendantsOfKind(SyntaxKind.ArrayLiteralExpression).find((list) => {
    const [first, ...others] = list.getElements().map(keyOf);
    return first === 'id' && others.includes('createdAt');
  });
}

/** Adds a member to variables of a test, or the test. */
function inTest(
  title: string,
  test: string,
  name: string,
  values: Readonly<Record<string, string>>,
): SourceEdit {
  return (file) =>
    testOf(file, title) === undefined
      ? addTest(file, test)
      : Object.entries(values).every(([object, value]) =>
          addElement(variable(testOf(file, title), object), `${name}: ${value}`, name),
        );
}

/** Adds a value to a test's cases, or the test. */
function inEach(title: string, test: string, value: string): SourceEdit {
  return (file) => {
    const call = testOf(file, title);
    if (call === undefined) return addTest(file, test);
    const cases = call.getExpression().getFirstDescendantByKind(SyntaxKind.ArrayLiteralExpression);
    return addElement(cases, `'${value}'`, value);
  };
}

/** Finds the call of a test whose title begins with a text. */
function testOf(file: SourceFile, title: string): CallExpression | undefined {
  return file.getDescendantsOfKind(SyntaxKind.CallExpression).find((call) => {
    const [first] = call.getArguments();
    return first !== undefined && /^['"`]/.test(first.getText()) && keyOf(first).startsWith(title);
  });
}

/** Appends a test to the first `describe`. */
function addTest(file: SourceFile, test: string): boolean {
  const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression);
  const suite = calls.find((call) => call.getExpression().getText() === 'describe');
  const last = suite?.getFirstDescendantByKind(SyntaxKind.Block)?.getStatements().at(-1);
  if (last !== undefined) file.insertText(last.getEnd(), `\n${test}`);
  return last !== undefined;
}

/** A violated foreign key has no name, so its message names all references. */
function nameReferences(file: SourceFile): boolean {
  const pattern = /(?<=')(\w+(?: or \w+)*)(?= does not exist')/g;
  const text = file.getFullText();
  const names = new Set([...text.matchAll(pattern)].flatMap(([all]) => all.split(' or ')));
  file.replaceWithText(text.replaceAll(pattern, [...names].join(' or ')));
  return true;
}

/** Adds a field to the function that makes a valid body. The function first creates the resource that the field refers to. */
export function sampleEdit(resource: Resource, field: Field): readonly SourceEdit[] {
  const { target } = field;
  const returned = (file: SourceFile) =>
    file.getFunction(sampleName(resource))?.getFirstDescendantByKind(SyntaxKind.ReturnStatement);
  const refer: SourceEdit = (file) => {
    if (target === undefined) return true;
    file.replaceWithText(file.getFullText().replaceAll('_clients', 'clients'));
    if (variable(file, field.name) !== undefined) return true;
    return insertBefore(returned(file), `${created({ ...field, target }).trimStart()}  `);
  };
  return [
    refer,
    (file) =>
      target === undefined ||
      target.pascal === resource.pascal ||
      addImport(`./${target.table.replaceAll('_', '-')}`, sampleName(target))(file),
    (file) => {
      const body = returned(file)?.getExpression();
      const object = Node.isObjectLiteralExpression(body)
        ? body
        : body?.getFirstDescendantByKind(SyntaxKind.ObjectLiteralExpression);
      return addElement(object, member(resource, field), field.name);
    },
  ];
}
