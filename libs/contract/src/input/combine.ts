import type { JsonSchema } from '@app/shapes';

type Join = (one: unknown, other: unknown) => unknown;

const greater: Join = (one, other) => Math.max(Number(one), Number(other));
const smaller: Join = (one, other) => Math.min(Number(one), Number(other));

/** How two values of one keyword become the one that asks for both; `undefined` when one cannot say both. */
const together: Readonly<Record<string, Join>> = {
  minimum: greater,
  maximum: smaller,
  minLength: greater,
  maxLength: smaller,
  minItems: greater,
  maxItems: smaller,
  description: (one, other) => `${String(one)} ${String(other)}`,
  type: (one, other) => (numeric.has(one) && numeric.has(other) ? 'integer' : undefined),
};

/** They differ where they meet: what is both is whole. */
const numeric = new Set<unknown>(['integer', 'number']);

/** Joins what several rules ask of one value. What cannot stand side by side goes below `allOf`. */
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

/** @returns `undefined` when one keyword cannot say both */
function join(keyword: string, one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  return together[keyword]?.(one, other);
}

/** Lets null stand where a schema speaks of something else. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices, const: only, $ref } = schema;
  if (allowsNull(schema)) return schema;
  if (typeof type !== 'string' || only !== undefined || $ref !== undefined)
    return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(choices) && { enum: [...choices, null] }) };
}

/** Keeps null out of a schema that says nothing of types. */
export function butNotNull(schema: JsonSchema): JsonSchema {
  return allowsNull(schema) ? combine([schema, { not: { type: 'null' } }]) : schema;
}

/** Whether nothing in a schema speaks of null at all. */
function allowsNull(schema: JsonSchema): boolean {
  return !['type', 'enum', 'const', '$ref', 'anyOf', 'allOf'].some((keyword) => keyword in schema);
}
