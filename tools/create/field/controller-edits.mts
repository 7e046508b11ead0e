import ts from 'typescript';
import type { Field } from '../resource/fields.mts';
import { constraintOf, type Resource } from '../resource/resource.mts';
import {
  addElement,
  addImport,
  findAll,
  inTurn,
  insertAt,
  nameOf,
  type SourceEdit,
} from '../source/syntax.mts';

/** The store's methods whose violations of constraints are errors of the caller. */
const writes = ['insert', 'update'] as const;

/** Declares the errors of a unique field, and of a reference, and maps the violations to them; other fields need neither. */
export function controllerEdit(resource: Resource, field: Field): SourceEdit {
  return inTurn(
    ...(field.isUnique
      ? [
          ...writes.map((method) => wrap(method, unlessTaken(resource, field))),
          ...errorEdits('ValueConflictError', 'unlessTaken'),
        ]
      : []),
    ...(field.target === undefined
      ? []
      : [
          ...writes.map((method) => refer(method, field)),
          ...errorEdits('UnknownReferenceError', 'unlessUnknown'),
        ]),
  );
}

/** Whether a controller has anything to say about a field. */
export function concernsController(field: Field): boolean {
  return field.isUnique || field.target !== undefined;
}

/** A call of the store, and what is awaited with it. */
interface Write {
  readonly call: ts.CallExpression;
  readonly awaited: ts.Expression;
  readonly handler: ts.MethodDeclaration;
}

function writeOf(source: ts.SourceFile, method: string): Write | undefined {
  for (const handler of findAll(source, ts.isMethodDeclaration))
    for (const { expression: awaited } of findAll(handler, ts.isAwaitExpression)) {
      const call = findAll(awaited, ts.isCallExpression).find((one) => isStoreCall(one, method));
      if (call !== undefined) return { call, awaited, handler };
    }
  return undefined;
}

/** `this.tasks.insert(…)`. */
function isStoreCall({ expression }: ts.CallExpression, method: string): boolean {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== method) return false;
  const store = expression.expression;
  return ts.isPropertyAccessExpression(store) && store.expression.kind === ts.SyntaxKind.ThisKeyword;
}

function unlessTaken(resource: Resource, field: Field): (write: string) => string {
  return (write) => `unlessTaken('${constraintOf(resource, field)}', '${field.name}', ${write})`;
}

/** Puts a call around what is awaited, unless it is there. */
function wrap(method: string, around: (write: string) => string): SourceEdit {
  return (source) => {
    const awaited = writeOf(source, method)?.awaited;
    if (awaited === undefined) return undefined;
    const begin = around('');
    return awaited.getText().startsWith(begin.slice(0, begin.indexOf(', ')))
      ? source.text
      : replaced(source, awaited, around(awaited.getText()));
  };
}

/** All references of a resource are in one call, because a violated foreign key has no name. */
function refer(method: string, { name }: Field): SourceEdit {
  return (source) => {
    const write = writeOf(source, method);
    if (write === undefined) return undefined;
    const known = findAll(write.awaited, ts.isCallExpression).find(
      ({ expression }) => nameOf(expression) === 'unlessUnknown',
    );
    const [names] = known?.arguments ?? [];
    if (names === undefined)
      return replaced(source, write.call, `unlessUnknown('${name}', ${write.call.getText()})`);
    if (nameOf(names).split(' or ').includes(name)) return source.text;
    return replaced(source, names, `'${nameOf(names)} or ${name}'`);
  };
}

function errorEdits(error: string, guard: string): readonly SourceEdit[] {
  return [
    ...writes.map((method) => declareError(method, error)),
    addImport('@app/contract', 'ErrorResponses'),
    addImport('@app/service', error),
    addImport('@app/service', guard),
  ];
}

function declareError(method: string, error: string): SourceEdit {
  return (source) => {
    const handler = writeOf(source, method)?.handler;
    if (handler === undefined) return undefined;
    const calls = (ts.getDecorators(handler) ?? []).flatMap(({ expression }) =>
      ts.isCallExpression(expression) ? [expression] : [],
    );
    const declared = calls.find(({ expression }) => nameOf(expression) === 'ErrorResponses');
    if (declared !== undefined) return addElement(source, declared.arguments, error, { key: error });
    const end = calls.at(-1)?.end;
    return end === undefined ? undefined : insertAt(source, end, `\n  @ErrorResponses(${error})`);
  };
}

function replaced({ text }: ts.SourceFile, node: ts.Node, by: string): string {
  return `${text.slice(0, node.getStart())}${by}${text.slice(node.end)}`;
}
