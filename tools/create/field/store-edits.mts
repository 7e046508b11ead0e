import ts from 'typescript';
import type { Field } from '../resource/fields.mts';
import { type RefField, refsOf, type Resource } from '../resource/resource.mts';
import { changed, inserted, isJson, ownedRefs, requireOwn } from '../resource/store-file.mts';
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

/** Adds a field to the statements of a store: to the rows that it inserts, and to the changes of those that it updates. */
export function storeEdit(resource: Resource, field: Field): SourceEdit {
  const { pascal } = resource;
  const key = field.name;
  const owned = ownedRefs({ ...resource, fields: [field] });
  const parameter =
    (type: string): SourceEdit =>
    (source) =>
      addElement(source, methodWith(source, type)?.pattern.elements, key, { key });
  return inTurn(
    parameter(`Create${pascal}`),
    (source) =>
      addElement(source, rowOf(source, `Create${pascal}`)?.properties, inserted(field), {
        key,
        follower: 'createdAt',
      }),
    parameter(`Update${pascal}`),
    (source) => addElement(source, changesOf(source, `Update${pascal}`)?.properties, changed(field), { key }),
    ...(isJson(field) ? [addImport('@app/persistence', 'jsonText')] : []),
    ...owned.flatMap((ref) => ownerEdits(resource, ref)),
  );
}

/** A method whose parameter is a body with its members: `insert({ title }: CreateTask)`. */
interface Method {
  readonly body: ts.Block;
  readonly pattern: ts.ObjectBindingPattern;
}

function methodWith(source: ts.SourceFile, bodyType: string): Method | undefined {
  const isBody = ({ type }: ts.ParameterDeclaration) => type !== undefined && nameOf(type) === bodyType;
  for (const { body, parameters } of findAll(source, ts.isMethodDeclaration)) {
    const pattern = parameters.find(isBody)?.name;
    if (body !== undefined && pattern !== undefined && ts.isObjectBindingPattern(pattern))
      return { body, pattern };
  }
  return undefined;
}

/** The row of `.values({ … })`. */
function rowOf(source: ts.SourceFile, bodyType: string): ts.ObjectLiteralExpression | undefined {
  const method = methodWith(source, bodyType);
  if (method === undefined) return undefined;
  const [row] = findAll(method.body, ts.isCallExpression).find(isValues)?.arguments ?? [];
  return row !== undefined && ts.isObjectLiteralExpression(row) ? row : undefined;
}

function isValues({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'values';
}

/** The object of `const changes = { … }`, whose members are not updated if they are undefined. */
function changesOf(source: ts.SourceFile, bodyType: string): ts.ObjectLiteralExpression | undefined {
  const method = methodWith(source, bodyType);
  const changes = method && declared(method.body, ts.isVariableDeclaration, 'changes')?.initializer;
  return changes !== undefined && ts.isObjectLiteralExpression(changes) ? changes : undefined;
}

/** What an account refers to must be its own. */
function ownerEdits({ pascal }: Resource, ref: RefField): readonly SourceEdit[] {
  const check = `requireOwn${ref.target.pascal}`;
  const call = `await ${check}(db, accountId, ${ref.name});`;
  return [
    ...[`Create${pascal}`, `Update${pascal}`].map((type): SourceEdit => (source) => {
      const body = methodWith(source, type)?.body;
      if (body?.getText().includes(call)) return source.text;
      const last = body?.statements.findLast(ts.isReturnStatement);
      return last && insertAt(source, last.getStart(source), `${call}\n    `);
    }),
    (source) =>
      declared(source, ts.isFunctionDeclaration, check) === undefined
        ? source.text + requireOwn(ref)
        : source.text,
    addImport('@app/persistence', 'ForeignKeyViolationError'),
    addImport('@app/persistence', 'statement'),
  ];
}

/** What to write by hand in a store of another shape. */
export function storeByHand(resource: Resource, field: Field): string {
  const check =
    refsOf({ fields: [field] }).length > 0 && resource.isOwned ? ', if the caller may refer to it' : '';
  return `write ${inserted(field)} in inserts, and ${field.name} in updates if it is given${check}`;
}
