import type { JsonSchema } from '@app/engine';

type Join = (one: unknown, other: unknown) => unknown;

const greater: Join = (one, other) => Math.max(Number(one), Number(other));
const smaller: Join = (one, other) => Math.min(Number(one), Number(other));

/** Merges two values for a keyword into a value that requires both; `undefined` if that is impossible. */
const together: Readonly<Record<string, Join>> = {
  minimum: greater,
  maximum: smaller,
  minLength: greater,
  maxLength: smaller,
  minItems: greater,
  maxItems: smaller,
  items: (one, other) => combine([Object(one), Object(other)]),
  description: (one, other) => `${String(one)} ${String(other)}`,
  type: (one, other) => (numeric.has(one) && numeric.has(other) ? 'integer' : undefined),
};

/** The numeric types. `number` and `integer` together are `integer`. */
const numeric = new Set<unknown>(['integer', 'number']);

/** Merges the schemas of several rules. Conflicting keywords go into `allOf`. */
export function combine(schemas: readonly JsonSchema[]): JsonSchema {
  const whole: Record<string, unknown> = {};
  const apart: JsonSchema[] = [];
  for (const [keyword, value] of schemas.flatMap((schema) => Object.entries(schema))) {
    const joined = keyword in whole ? join(keyword, whole[keyword], value) : value;
    if (joined === undefined) apart.push({ [keyword]: value });
    else whole[keyword] = joined;
  }
  return apart.length === 0 ? whole : { ...whole, allOf: apart };
}

/** @returns `undefined` if a single value cannot express both */
function join(keyword: string, one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  return together[keyword]?.(one, other);
}

/** Returns a schema that also allows null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices, const: only, $ref } = schema;
  if (allowsNull(schema)) return schema;
  if (typeof type !== 'string' || only !== undefined || $ref !== undefined)
    return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(choices) && { enum: [...choices, null] }) };
}

/** Excludes null from a schema without a type. */
export function butNotNull(schema: JsonSchema): JsonSchema {
  return allowsNull(schema) ? combine([schema, { not: { type: 'null' } }]) : schema;
}

/** Whether nothing in a schema excludes null. */
function allowsNull(schema: JsonSchema): boolean {
  return !['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema);
}
