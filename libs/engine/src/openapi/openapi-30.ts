import type { JsonSchema } from '@app/shapes';

/** A schema in the words of OpenAPI 3.0, which has no `null`, no `const` and no lists of types. */
export function asOpenApi30(schema: JsonSchema): JsonSchema {
  const { type, const: only, examples, exclusiveMinimum, exclusiveMaximum, not, anyOf, ...rest } = schema;
  return {
    ...mapParts(rest),
    ...typeOf(type, rest),
    ...(only !== undefined && { enum: [only] }),
    ...(examples?.[0] !== undefined && { example: examples[0] }),
    ...boundOf('Minimum', exclusiveMinimum),
    ...boundOf('Maximum', exclusiveMaximum),
    ...(isSchema(not) && !isNull(not) && { not: asOpenApi30(not) }),
    ...choiceOf(anyOf),
  };
}

function mapParts(schema: JsonSchema): JsonSchema {
  const { properties, items, allOf, oneOf } = schema;
  const all =
    properties && Object.entries(properties).map(([name, part]) => [name, asOpenApi30(part)] as const);
  return {
    ...schema,
    ...(all && { properties: Object.fromEntries(all) }),
    ...(items && { items: asOpenApi30(items) }),
    ...(allOf && { allOf: allOf.map(asOpenApi30) }),
    ...(oneOf && { oneOf: oneOf.map(asOpenApi30) }),
  };
}

function typeOf(type: JsonSchema['type'], { items }: JsonSchema): JsonSchema {
  const types = [type ?? []].flat();
  const first = types.find((one) => one !== 'null');
  return {
    ...(first !== undefined && { type: first }),
    ...(types.includes('null') && { nullable: true }),
    ...(first === 'array' && !items && { items: {} }),
  };
}

/** A bound that is not reached is two keywords. */
function boundOf(name: 'Minimum' | 'Maximum', bound: unknown): JsonSchema {
  return typeof bound === 'number'
    ? { [name.toLowerCase()]: bound, [`exclusive${name}`]: true }
    : { ...(bound !== undefined && { [`exclusive${name}`]: bound }) };
}

function choiceOf(anyOf: JsonSchema['anyOf']): JsonSchema {
  if (!anyOf) return {};
  const others = anyOf.filter((one) => !isNull(one)).map(asOpenApi30);
  if (others.length === anyOf.length) return { anyOf: others };
  return { nullable: true, ...(others.length === 1 ? { allOf: others } : { anyOf: others }) };
}

function isNull(schema: JsonSchema): boolean {
  return schema.type === 'null';
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
