import { type SourceFile, SyntaxKind } from 'ts-morph';
import type { Field } from '../resource/fields.mts';
import { constraintOf, type Resource } from '../resource/resource.mts';
import { addElement, addImport, keyOf, type SourceEdit } from '../source/syntax.mts';

/** The store methods that can violate a constraint through a caller error. */
const writes = ['insert', 'update'] as const;

/** Declares the errors for a unique field or a reference and maps the violations to them. Other fields need no edit. */
export function controllerEdit(resource: Resource, field: Field): readonly SourceEdit[] {
  const taken = `unlessTaken('${constraintOf(resource, field)}'`;
  return [
    ...(field.isUnique
      ? [
          ...writes.map((method) => wrap(method, taken, field)),
          ...errorEdits('ValueConflictError', 'unlessTaken'),
        ]
      : []),
    ...(field.target
      ? [
          ...writes.map((method) => refer(method, field)),
          ...errorEdits('UnknownReferenceError', 'unlessUnknown'),
        ]
      : []),
  ];
}

/** Finds a store call such as `this.tasks.insert(…)`, the awaited expression around it, and its handler. */
function writeOf(file: SourceFile, method: string) {
  const name = new RegExp(`^this\\.\\w+\\.${method}$`);
  for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
    const awaited = call.getFirstAncestorByKind(SyntaxKind.AwaitExpression)?.getExpression();
    const handler = awaited?.getFirstAncestorByKind(SyntaxKind.MethodDeclaration);
    if (name.test(call.getExpression().getText()) && awaited && handler) return { call, awaited, handler };
  }
  return undefined;
}

/** Wraps the awaited expression in a call, unless it is wrapped already. */
function wrap(method: string, begin: string, { name }: Field): SourceEdit {
  return (file) => {
    const awaited = writeOf(file, method)?.awaited;
    const text = awaited?.getText();
    if (text?.startsWith(begin) === false) awaited?.replaceWithText(`${begin}, '${name}', ${text})`);
    return awaited !== undefined;
  };
}

/** Adds a reference to the single call that lists all references, because a violated foreign key has no name. */
function refer(method: string, { name }: Field): SourceEdit {
  return (file) => {
    const write = writeOf(file, method);
    const calls = write ? [write.awaited, ...write.awaited.getDescendants()] : [];
    const [names] =
      calls
        .flatMap((node) => node.asKind(SyntaxKind.CallExpression) ?? [])
        .find((call) => call.getExpression().getText() === 'unlessUnknown')
        ?.getArguments() ?? [];
    if (names === undefined) write?.call.replaceWithText(`unlessUnknown('${name}', ${write.call.getText()})`);
    else if (!keyOf(names).split(' or ').includes(name))
      names.replaceWithText(`'${keyOf(names)} or ${name}'`);
    return write !== undefined;
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
  return (file) => {
    const decorators =
      writeOf(file, method)
        ?.handler.getDecorators()
        .filter((decorator) => decorator.isDecoratorFactory()) ?? [];
    const declared = decorators.find((decorator) => decorator.getName() === 'ErrorResponses');
    if (declared !== undefined) return addElement(declared.getCallExpression(), error, error);
    const end = decorators.at(-1)?.getEnd();
    if (end !== undefined) file.insertText(end, `\n  @ErrorResponses(${error})`);
    return end !== undefined;
  };
}
