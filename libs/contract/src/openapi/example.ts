import type { JsonSchema } from '@app/shapes';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** An example for each format that our rules have. */
const formats: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  uuid: '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

/** Long enough for most minimum lengths. */
const filler = 'correct horse battery staple';

/**
 * Makes an example value of a schema.
 *
 * @param schemas the targets of references, by name
 * @returns `undefined` if none can be made, as for a pattern, unless `@Schema` gives examples
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { examples, $ref, default: usual, const: only, enum: choices, anyOf } = schema;
  if (examples) return examples[0];
  if ($ref !== undefined) return exampleOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas);
  if (usual !== undefined) return usual;
  if (only !== undefined) return only;
  if (choices) return choices[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0], schemas);
  return ofType(schema, schemas);
}

function ofType(schema: JsonSchema, schemas: Schemas): unknown {
  const { type, minimum = 1 } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objectOf(schema, schemas);
    case 'array':
      return listOf(schema, schemas);
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return minimum;
    case 'boolean':
      return true;
    default:
      return undefined;
  }
}

/** Optional properties without an example are left out. */
function objectOf({ properties = {}, required = [] }: JsonSchema, schemas: Schemas): unknown {
  const parts = Object.entries(properties).map(([name, part]): [string, unknown] => [
    name,
    exampleOf(part, schemas),
  ]);
  const isMissing = parts.some(([name, value]) => value === undefined && required.includes(name));
  return isMissing ? undefined : Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

function listOf({ items = {}, minItems = 1 }: JsonSchema, schemas: Schemas): unknown {
  const item = exampleOf(items, schemas);
  return item === undefined ? undefined : Array.from({ length: minItems }, () => item);
}

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema): string | undefined {
  if (format !== undefined) return formats[format];
  if (pattern !== undefined) return undefined;
  const least = filler.padEnd(minLength, '.');
  return least.slice(0, maxLength);
}
