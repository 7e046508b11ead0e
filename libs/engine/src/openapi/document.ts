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

/** Copies a part of a document, with every schema that refers to a component replaced, also in a discriminator's mapping. */
export function mapReferences<Part>(part: Part, replace: (name: string) => JsonSchema | undefined): Part {
  const copied: Part = JSON.parse(JSON.stringify(part), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (key === 'mapping') return mapped(value, replace);
    const name = referredName(value);
    return (name === undefined ? undefined : replace(name)) ?? value;
  });
  return copied;
}

/** The references of a discriminator's mapping are texts. */
function mapped(mapping: object, replace: (name: string) => JsonSchema | undefined): object {
  const replaced = Object.entries(mapping).map(([value, $ref]: [string, unknown]) => {
    const name = referredName({ $ref });
    return [value, (name === undefined ? undefined : replace(name)?.$ref) ?? $ref];
  });
  return Object.fromEntries(replaced);
}

/** The names of all components that a part of a document refers to. */
export function referredNames(part: unknown): Set<string> {
  const names = new Set<string>();
  mapReferences(part, (name) => void names.add(name));
  return names;
}
