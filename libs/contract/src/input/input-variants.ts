import type { JsonSchema } from '@app/engine';
import { combine } from './combine';
import { type BaseVariant, type InputVariant, type Members, named, oneOfVariants } from './variant';

/** The way in which a member selects the class of its value. */
export interface Selection<Type> {
  readonly property: string;
  /** The classes by the property value that selects them. */
  readonly classes: ReadonlyMap<string, Type>;
  /** Whether the rules see the property; otherwise it is removed before them. */
  readonly isKept: boolean;
  /** The class for all remaining values; `undefined` if it has no rules (`Object`). */
  readonly base: Type | undefined;
  /** The keyword that rejects unknown members; empty if they are removed. */
  readonly closed: JsonSchema;
}

/**
 * Returns the schema for a member with a value-dependent class: a named class, or else the base class.
 *
 * @param refer makes the schema for a variant class; usually a reference
 * @param rulesOf makes the base class schema, as if it were the only class
 */
export function inputVariants<Type>(
  { property, classes, isKept, base, closed }: Selection<Type>,
  refer: (type: Type, variant: InputVariant) => JsonSchema,
  rulesOf: (base: Type) => Members,
): JsonSchema {
  const references = [...classes].map(([name, type]) => [name, refer(type, { property, name })] as const);
  const whole = oneOfVariants(property, new Map(references));
  const rest: BaseVariant = { property, others: [...classes.keys()], isKept };
  if (base === undefined)
    return { anyOf: [whole, asBase({ type: 'object', properties: {}, ...closed }, rest)] };
  return isPossible(asBase(rulesOf(base), rest), property) ? { anyOf: [whole, refer(base, rest)] } : whole;
}

/** Returns a class schema as a variant, or unchanged without a variant. */
export function asInputVariant<Schema extends Members>(
  schema: Schema,
  variant: InputVariant | undefined,
): Schema {
  if (variant === undefined) return schema;
  return 'name' in variant ? named(schema, variant.property, variant.name) : asBase(schema, variant);
}

function asBase<Schema extends Members>(schema: Schema, { property, others, isKept }: BaseVariant): Schema {
  const { [property]: before, ...members } = schema.properties;
  const isRefused = isKept && before === undefined && schema.additionalProperties === false;
  if (isRefused) return schema;
  const rest = isKept && before ? without(before, others) : { not: { enum: others } };
  return { ...schema, properties: { [property]: rest, ...members } };
}

function without(schema: JsonSchema, others: readonly string[]): JsonSchema {
  if (!schema.enum) return combine([schema, { not: { enum: others } }]);
  const left = schema.enum.filter((value) => !others.some((name) => name === value));
  return { ...schema, enum: left };
}

function isPossible({ properties, required = [] }: Members, property: string): boolean {
  return !required.includes(property) || properties[property]?.enum?.length !== 0;
}
