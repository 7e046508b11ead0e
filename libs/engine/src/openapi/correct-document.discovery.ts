import type { InputType } from '@app/contract';
import type { JsonSchema } from '@app/shapes';
import type { InputChoice, OutputChoice } from './choices';
import { ClassSchemas, type Declared, nameOf } from './class-schemas';
import {
  type Content,
  mapReferences,
  type Operation,
  type Parameter,
  referredName,
  referredNames,
  type SwaggerDocument,
} from './document';
import { type DescribedHandler, describedHandlers } from './handlers.discovery';
import { type Application, controllersOf, inputChoice, outputChoice } from './in-force.discovery';
import { correctedInput } from './input-class';
import { asOpenApi30 } from './openapi-30';
import { type ClassParameter, classParameters } from './parameters';

/**
 * Puts right what a document of @nestjs/swagger says about bodies, queries, paths and responses, from the decorators of their
 * classes: what the rules accept in the groups of the pipe, whether unknown members are refused, and what the interceptor
 * sends. Texts, examples and everything else stay as they are.
 *
 * A part is replaced if it refers to the class of the handler; what was written out by `@ApiBody({ schema })` stays. Inputs
 * without Nest's pipe and responses without its interceptor stay, too, and so do responses to errors.
 *
 * @param app      the application, with its global pipes and interceptors
 * @param document of `SwaggerModule.createDocument`, with OpenAPI 3.0 or 3.1; it is not changed
 * @returns a document of the same version
 */
export function correctDocument<Document extends SwaggerDocument>(app: object, document: Document): Document {
  const copy = structuredClone(document);
  const components: { schemas?: Declared } = copy.components ?? {};
  const schemas = new ClassSchemas(components.schemas ?? {});
  const application: Application = {
    container: Reflect.get(app, 'container'),
    config: Reflect.get(app, 'config'),
  };
  const handlers = describedHandlers(copy, controllersOf(application));
  const known = sentClasses(handlers);
  const isOld = copy.openapi.startsWith('3.0');
  for (const handler of handlers) new Correction(application, schemas, known, handler, isOld).correct();
  return finished(copy, components.schemas ?? {}, schemas, isOld);
}

/** With the schemas that are referred to, under their names. */
function finished<Document extends SwaggerDocument>(
  copy: Document,
  old: Declared,
  made: ClassSchemas,
  isOld: boolean,
): Document {
  const kept = reachable(copy.paths, old);
  const { schemas, nameOf: names } = made.named(kept);
  const own = Object.entries(schemas).map(
    ([name, schema]) => [name, isOld ? asOpenApi30(schema) : schema] as const,
  );
  const remaining = Object.entries(old).filter(([name]) => kept.has(name));
  const components = { ...copy.components, schemas: Object.fromEntries([...remaining, ...own]) };
  return mapReferences({ ...copy, components }, (name) => {
    const final = names.get(name);
    return final === undefined ? undefined : { $ref: `#/components/schemas/${final}` };
  });
}

/** The old schemas that something still refers to. */
function reachable(paths: unknown, old: Declared): Set<string> {
  const found = new Set<string>();
  const open = [...referredNames(paths)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || !(name in old)) continue;
    found.add(name);
    open.push(...referredNames(old[name]));
  }
  return found;
}

/** The classes of responses, by the names of their schemas: a name may occur in a schema that was written out. */
function sentClasses(handlers: readonly DescribedHandler[]): ReadonlyMap<string, Function> {
  const classes = handlers.flatMap(({ controller, handler, method }) => [
    ...responseTypes(controller),
    ...responseTypes(method),
    ...declaredList('swagger/apiExtraModels', controller),
    ...declaredList('swagger/apiExtraModels', method),
    Reflect.getMetadata('design:returntype', controller.prototype, handler) as unknown,
  ]);
  return new Map(classes.filter((type) => typeof type === 'function').map((type) => [nameOf(type), type]));
}

function responseTypes(target: Function): unknown[] {
  const responses: Record<string, { type?: unknown }> =
    Reflect.getMetadata('swagger/apiResponse', target) ?? {};
  return Object.values(responses).map(({ type }) => type);
}

function declaredList(key: string, target: Function): readonly unknown[] {
  const list: readonly unknown[] = Reflect.getMetadata(key, target) ?? [];
  return list;
}

/** The parts of one operation. */
class Correction {
  private readonly operation: Operation;

  constructor(
    private readonly app: Application,
    private readonly schemas: ClassSchemas,
    private readonly known: ReadonlyMap<string, Function>,
    private readonly described: DescribedHandler,
    /** Whether the document is of OpenAPI 3.0. */
    private readonly isOld: boolean,
  ) {
    this.operation = described.operation;
  }

  correct(): void {
    const { controller, handler, method } = this.described;
    for (const parameter of classParameters(controller, handler)) {
      const choice = inputChoice(this.app, controller, method, parameter.pipes);
      if (choice) this.correctInput(parameter, { ...choice, groups: parameter.groups ?? choice.groups });
    }
    const output = outputChoice(this.app, controller, method);
    if (output) this.correctResponses(output);
  }

  private correctInput({ from, type }: ClassParameter, choice: InputChoice): void {
    if (from === 'body')
      replaceClass(this.operation.requestBody?.content, type, () => this.schemas.input(type, choice));
    else this.correctParameters(from, type, choice);
  }

  /** A query or a path has one parameter for each member. */
  private correctParameters(place: 'query' | 'path', type: InputType, choice: InputChoice): void {
    const before = this.operation.parameters ?? [];
    const declared = before.filter((one) => one.in === place);
    const documented = Object.fromEntries(
      declared.map(({ name, schema, description }) => [name, { ...schema, description }]),
    );
    const refer = (part: InputType) => this.schemas.input(part, choice);
    const required = declared.flatMap((one) => (one.required ? one.name : []));
    const schema = correctedInput(type, choice, refer, { properties: documented, required }, true);
    const found = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const isRequired = place === 'path' || (schema.required ?? []).includes(name);
      return this.parameter(property, {
        ...declared.find((one) => one.name === name),
        name,
        in: place,
        required: isRequired,
      });
    });
    this.operation.parameters = [...before.filter((one) => one.in !== place), ...found];
  }

  private parameter({ description, ...schema }: JsonSchema, found: Parameter): Parameter {
    const documented = description === undefined ? found : { ...found, description };
    return { ...documented, schema: this.isOld ? asOpenApi30(schema) : schema };
  }

  private correctResponses(choice: OutputChoice): void {
    for (const [status, response] of Object.entries(this.operation.responses ?? {})) {
      if (!/^[23]/.test(status)) continue;
      for (const part of Object.values(response.content ?? {}))
        if (part.schema) part.schema = mapReferences(part.schema, (name) => this.sent(name, choice));
    }
  }

  /** A route with a class sends nothing else, whatever the document says. */
  private sent(name: string, choice: OutputChoice): JsonSchema | undefined {
    const type = choice.type ?? this.known.get(name);
    return type && this.schemas.output(type, choice);
  }
}

/** Only a reference to the class itself is replaced. */
function replaceClass(content: Content | undefined, type: Function, schema: () => JsonSchema): void {
  for (const part of Object.values(content ?? {}))
    if (part.schema && referredName(part.schema) === nameOf(type)) part.schema = schema();
}
