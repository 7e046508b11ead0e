import 'reflect-metadata';
import {
  type Choice,
  type JsonSchema,
  meaningOfTransform,
  readTransforms,
  selectKeys,
  selectTransforms,
  type TransformShape,
  wireName,
} from '@app/engine';
import { type DescribeMember, withTexts } from '../descriptions';
import type { ObjectSchema } from '../input/input-schema';
import { responseVariants } from './response-variants';
import type { Variant } from '../input/variant';
import { orNull } from '../input/combine';
import { audiencesOfMember } from '../audiences/addressed-members';
import { withAudiences } from '../audiences/describe-audiences';
import { type ResponseChoice, selecting } from './response-choice';
import { schemaOf } from '../schema';

/**
 * Makes the schema for a nested class; usually a reference.
 *
 * @param variant set if several classes are possible
 */
export type ReferResponse = (type: Function, variant?: Variant) => JsonSchema;

/**
 * Returns the JSON Schema of a class as it is sent: the exposed properties, under their names on the wire.
 *
 * Types come from the compiler's metadata, which lacks null and integers; `@Schema` declares them. A class without `@Exclude()`
 * may send further properties.
 *
 * @param refer makes the schema for a nested class
 */
export function responseSchema(
  type: Function,
  choice: ResponseChoice,
  refer: ReferResponse,
  describe: DescribeMember = () => undefined,
): ObjectSchema {
  const { takesOwnKeys, members } = responseMembers(type, choice, refer);
  const sent = members.map(({ property, name, schema }) => ({
    name,
    schema: withAudiences(
      withTexts(schema, describe, property),
      audiencesOfMember(type, property, choice.groups),
    ),
    isOptional: isSentToSome(type, property, choice.groups),
  }));
  const required = sent.flatMap(({ name, isOptional }) => (isOptional ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(sent.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    ...(!takesOwnKeys && { additionalProperties: false }),
  };
}

function isSentToSome(type: Function, property: string, groups: readonly string[]): boolean {
  if (audiencesOfMember(type, property, groups) !== undefined) return true;
  return schemaOf(type, property)?.isOptional ?? false;
}

/** A member of a class as it is sent. */
interface ResponseMember {
  readonly property: string;
  /** The name on the wire. */
  readonly name: string;
  /** The schema; empty if the type is unknown. */
  readonly schema: JsonSchema;
}

/** Returns the members that a class sends, and whether further members are possible. */
export function responseMembers(
  type: Function,
  options: ResponseChoice,
  refer: ReferResponse,
): { readonly takesOwnKeys: boolean; readonly members: readonly ResponseMember[] } {
  const shape = readTransforms(type);
  const choice = selecting(options);
  const selection = selectKeys(shape, 'toPlain', choice);
  const { exposed, takesOwnKeys } = selection;
  const memberNames = takesOwnKeys
    ? [...new Set([...shape.typeOf.keys(), ...exposed])].filter((name) => selection.keeps(name))
    : exposed;
  const members = memberNames.map((property) => ({
    property,
    name: wireName(shape, property),
    schema: propertySchema(type, shape, property, refer, choice),
  }));
  return { takesOwnKeys, members };
}

function propertySchema(
  type: Function,
  shape: TransformShape,
  property: string,
  refer: ReferResponse,
  choice: Choice,
): JsonSchema {
  const keywords = schemaOf(type, property)?.keywords;
  const last = selectTransforms(shape, property, 'toPlain', choice).at(-1);
  if (last) return { ...meaningOfTransform(last.transform), ...keywords };
  const designType: unknown = Reflect.getMetadata('design:type', type.prototype, property);
  const { typeFunction, reflectedType, discriminator } = shape.typeOf.get(property) ?? {};
  const declaredType: unknown =
    (typeFunction?.length === 0 ? typeFunction() : undefined) ?? reflectedType ?? designType;
  const single = discriminator
    ? responseVariants(discriminator, choice, refer)
    : typeSchema(declaredType, refer);
  const schema = designType === Array && declaredType !== Array ? { type: 'array', items: single } : single;
  return declaredSchema(schema, keywords);
}

/**
 * Merges declared keywords. `@Schema({ type: ['object', 'null'] })` adds null to a class, which has a reference as its schema.
 */
function declaredSchema(schema: JsonSchema, keywords: JsonSchema | undefined): JsonSchema {
  const isReference = ['$ref', 'oneOf', 'anyOf'].some((keyword) => keyword in schema);
  if (!isReference || !keywords?.type?.includes('null')) return { ...schema, ...keywords };
  const { type: _, ...others } = keywords;
  return { ...orNull(schema), ...others };
}

function typeSchema(type: unknown, refer: ReferResponse): JsonSchema {
  return typeof type === 'function' ? (builtIn.get(type) ?? refer(type)) : {};
}

/** The JSON forms of built-in types; a date is ISO 8601, UTC, with milliseconds. */
const builtIn = new Map<Function, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Date, { type: 'string', format: 'date-time' }],
  [Array, { type: 'array' }],
  [Object, {}],
]);
