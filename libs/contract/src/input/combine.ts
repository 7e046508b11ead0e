import type { JsonSchema } from '@app/engine';

type Join = (left: unknown, right: unknown) => unknown;

const greater: Join = (left, right) => Math.max(Number(left), Number(right));
const smaller: Join = (left, right) => Math.min(Number(left), Number(right));

/** Merges two values for a keyword into a value that requires both; `undefined` if that is impossible. */
const together: Readonly<Record<string, Join>> = {
  minimum: greater,
  maximum: smaller,
  minLength: greater,
  maxLength: smaller,
  minItems: greater,
  maxItems: smaller,
  items: (left, right) => combine([Object(left), Object(right)]),
  description: (left, right) => `${String(left)} ${String(right)}`,
  type: (left, right) => (numeric.has(left) && numeric.has(right) ? 'integer' : undefined),
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
function join(keyword: string, left: unknown, right: unknown): unknown {
  if (JSON.stringify(left) === JSON.stringify(right)) return left;
  return together[keyword]?.(left, right);
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
