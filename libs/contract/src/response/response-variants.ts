import {
  type Choice,
  type Discriminator,
  type JsonSchema,
  readTransforms,
  selectKeys,
  selectTransforms,
  wireName,
} from '@app/engine';
import { type ResponseChoice, selecting } from './response-choice';
import { named, oneOfVariants, type Members, type Variant } from '../input/variant';

/**
 * Returns the schema for a member with a value-dependent class. Class-transformer writes the class name into a property, which
 * is sent if the class exposes it. If all classes send the property, the schema uses it as discriminator.
 *
 * @param refer makes the schema for a variant class; usually a reference
 */
export function responseVariants(
  discriminator: Discriminator,
  choice: Choice,
  refer: (type: Function, variant: Variant) => JsonSchema,
): JsonSchema {
  const { property } = discriminator;
  const classes = [...namesByClass(discriminator)];
  const references = new Map(classes.map(([type, name]) => [name, refer(type, { property, name })]));
  const [member, ...others] = new Set(classes.map(([type]) => sentAs(type, property, choice)));
  const isDiscriminated = member !== undefined && others.length === 0;
  return isDiscriminated ? oneOfVariants(member, references) : { anyOf: [...references.values()] };
}

/** Returns a class schema as a variant, or unchanged without a variant. */
export function asResponseVariant<Schema extends Members>(
  schema: Schema,
  type: Function,
  variant: Variant | undefined,
  choice: ResponseChoice,
): Schema {
  if (variant === undefined) return schema;
  const member = sentAs(type, variant.property, selecting(choice));
  return member === undefined ? schema : named(schema, member, variant.name);
}

/** The wire name of a property; `undefined` if it is not sent, or as something else. */
function sentAs(type: Function, property: string, choice: Choice): string | undefined {
  const shape = readTransforms(type);
  const selection = selectKeys(shape, 'toPlain', choice);
  const isOwn = selection.takesOwnKeys && selection.keeps(property);
  const isSent = isOwn || selection.exposed.includes(property);
  const isComputed = selectTransforms(shape, property, 'toPlain', choice).length > 0;
  return isSent && !isComputed ? wireName(shape, property) : undefined;
}

/** Returns the names by class. A class with several names has the first name. */
function namesByClass({ subTypes }: Discriminator): ReadonlyMap<Function, string> {
  const byType = new Map<Function, string>();
  for (const { name, value } of subTypes) if (!byType.has(value)) byType.set(value, name);
  return byType;
}
