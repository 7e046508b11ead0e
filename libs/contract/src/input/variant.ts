import type { Discriminator, JsonSchema } from '@app/engine';

/** A class that a property of the value selects: `@Type(() => Base, { discriminator })`. */
export interface Variant {
  /** The property that selects the class. */
  readonly property: string;
  /** The value that selects this class. */
  readonly name: string;
}

/** The base class of a member with variants. Class-transformer uses it for every other value. */
export interface BaseVariant {
  readonly property: string;
  /** The values that select the variants. */
  readonly others: readonly string[];
  /** Whether the rules see the property; otherwise it is removed before them. */
  readonly isKept: boolean;
}

/** The position of an input among several classes. */
export type InputVariant = Variant | BaseVariant;

/** An object schema. */
export interface Members extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Returns a schema in which a required member has the class name. */
export function named<Schema extends Members>(schema: Schema, member: string, name: string): Schema {
  const { [member]: before, ...others } = schema.properties;
  const text = before?.description;
  const only: JsonSchema = { type: 'string', const: name, ...(text !== undefined && { description: text }) };
  return {
    ...schema,
    properties: { [member]: only, ...others },
    required: [...new Set([member, ...(schema.required ?? [])])],
  };
}

/**
 * Returns a schema that matches exactly one schema in a list, selected by a member.
 *
 * @param variants references, by the member value
 */
export function oneOfVariants(member: string, variants: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const mapping = Object.fromEntries([...variants].map(([name, { $ref }]) => [name, $ref]));
  return { oneOf: [...variants.values()], discriminator: { propertyName: member, mapping } };
}

/** Returns the classes by name. For a duplicate name class-transformer selects the first class. */
export function classesByName({ subTypes }: Discriminator): ReadonlyMap<string, Function> {
  const byName = new Map<string, Function>();
  for (const { name, value } of subTypes) if (!byName.has(name)) byName.set(name, value);
  return byName;
}
