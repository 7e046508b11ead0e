import {
  type MethodDeclaration,
  Node,
  type ObjectBindingPattern,
  type SourceFile,
  SyntaxKind,
} from 'ts-morph';
import type { Field } from '../resource/fields.mts';
import { type RefField, refsOf, type Resource } from '../resource/resource.mts';
import { changed, inserted, isJson, ownedRefs, requireOwn } from '../resource/store-file.mts';
import { addElement, addImport, insertBefore, type SourceEdit, variable } from '../source/syntax.mts';

/** Adds a field to the store statements: to the inserted rows and to the changes in an update. */
export function storeEdit(resource: Resource, field: Field): readonly SourceEdit[] {
  const { name } = field;
  const [create, update] = [`Create${resource.pascal}`, `Update${resource.pascal}`];
  return [
    (file) => addElement(methodWith(file, create)?.pattern, name, name),
    (file) => addElement(rowOf(methodWith(file, create)?.method), inserted(field), name, 'createdAt'),
    (file) => addElement(methodWith(file, update)?.pattern, name, name),
    (file) => addElement(variable(methodWith(file, update)?.method, 'changes'), changed(field), name),
    ...(isJson(field) ? [addImport('@app/persistence', 'jsonText')] : []),
    ...ownedRefs({ ...resource, fields: [field] }).flatMap((ref) => ownerEdits([create, update], ref)),
  ];
}

/** A method with a parameter that destructures a body: `insert({ title }: CreateTask)`. */
interface Method {
  readonly method: MethodDeclaration;
  readonly pattern: ObjectBindingPattern;
}

function methodWith(file: SourceFile, bodyType: string): Method | undefined {
  for (const method of file.getDescendantsOfKind(SyntaxKind.MethodDeclaration)) {
    const body = method.getParameters().find((parameter) => parameter.getTypeNode()?.getText() === bodyType);
    const pattern = body?.getNameNode();
    if (Node.isObjectBindingPattern(pattern)) return { method, pattern };
  }
  return undefined;
}

/** The row of `.values({ … })`. */
function rowOf(method: MethodDeclaration | undefined): Node | undefined {
  const calls = method?.getDescendantsOfKind(SyntaxKind.CallExpression) ?? [];
  const row = calls.find((call) => call.getExpression().getText().endsWith('.values'))?.getArguments()[0];
  return Node.isObjectLiteralExpression(row) ? row : undefined;
}

/** Adds the check that a referenced row belongs to the same account. */
function ownerEdits(bodyTypes: readonly string[], ref: RefField): readonly SourceEdit[] {
  const check = `requireOwn${ref.target.pascal}`;
  const call = `await ${check}(db, accountId, ${ref.name});`;
  return [
    ...bodyTypes.map((type): SourceEdit => (file) => {
      const method = methodWith(file, type)?.method;
      if (method?.getText().includes(call)) return true;
      return insertBefore(method?.getStatements().findLast(Node.isReturnStatement), `${call}\n    `);
    }),
    (file) => {
      if (file.getFunction(check) === undefined) file.insertText(file.getEnd(), requireOwn(ref));
      return true;
    },
    addImport('@app/persistence', 'ForeignKeyViolationError'),
    addImport('@app/persistence', 'statement'),
  ];
}

/** Describes the edit to make by hand in a store with a different shape. */
export function storeByHand(resource: Resource, field: Field): string {
  const isRef = refsOf({ fields: [field] }).length > 0 && resource.owner === 'account';
  return `write ${inserted(field)} in inserts, and ${field.name} in updates if it is given${isRef ? ', if the caller may refer to it' : ''}`;
}
