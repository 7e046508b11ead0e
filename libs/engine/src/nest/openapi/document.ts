import type { JsonSchema } from '@app/shapes';

/** A document of OpenAPI, as far as it is read here: `SwaggerModule.createDocument` makes one. */
export interface SwaggerDocument {
  openapi: string;
  paths: object;
  components?: object;
}

/** The parts of an operation that are put right. */
export interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { content?: Content };
  responses?: Record<string, { content?: Content }>;
}

/** By media type. */
export type Content = Record<string, { schema?: JsonSchema }>;

/** A parameter of a query or a path. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: JsonSchema;
}

/** The name that a reference to a component has; `undefined` for another schema. */
export function referredName(schema: object): string | undefined {
  const $ref: unknown = Reflect.get(schema, '$ref');
  return typeof $ref === 'string' && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined;
}

/** A reference to a component. */
export function reference(name: string): JsonSchema {
  return { $ref: `${prefix}${name}` };
}

const prefix = '#/components/schemas/';

/** Copies a part of a document, with every schema that refers to a component replaced. */
export function mapReferences<Part>(part: Part, replace: (name: string) => JsonSchema | undefined): Part {
  const copied: Part = JSON.parse(JSON.stringify(part), (_key, value: unknown) => {
    const name = typeof value === 'object' && value !== null ? referredName(value) : undefined;
    return (name === undefined ? undefined : replace(name)) ?? value;
  });
  return copied;
}

/** The names of all components that a part of a document refers to. */
export function referredNames(part: unknown): Set<string> {
  const names = new Set<string>();
  mapReferences(part, (name) => void names.add(name));
  return names;
}
