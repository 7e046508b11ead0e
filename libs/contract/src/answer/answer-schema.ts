import 'reflect-metadata';
import {
  type JsonSchema,
  meaningOfTransform,
  readTransforms,
  schemaOf,
  selectKeys,
  selectTransforms,
  type TransformShape,
  wireName,
} from '@app/shapes';
import { type DescribeMember, withDescription } from '../descriptions';
import type { ObjectSchema } from '../input/input-schema';

/** Makes the schema of a nested class; usually a reference. */
export type ReferAnswer = (type: Function) => JsonSchema;

/** Class-transformer's options of the same names, which select the fields that are sent. */
export interface AnswerChoice {
  readonly groups: readonly string[];
  readonly version?: number | undefined;
  readonly strategy?: 'exposeAll' | 'excludeAll' | undefined;
  readonly excludePrefixes?: readonly string[] | undefined;
}

/**
 * The JSON Schema of a class as it is sent: the exposed properties, under their names on the wire.
 *
 * Types come from the compiler's metadata, which has neither null nor integers: `@Schema` declares those. A class without
 * `@Exclude()` may send further properties.
 *
 * @param refer makes the schema of a nested class
 */
export function answerSchema(
  type: Function,
  choice: AnswerChoice,
  refer: ReferAnswer,
  describe: DescribeMember = () => undefined,
): ObjectSchema {
  const { takesOwnKeys, members } = answerMembers(type, choice, refer);
  const sent = members.map(({ property, name, schema }) => ({
    name,
    schema: withDescription(schema, describe(property)),
    isOptional: schemaOf(type, property)?.isOptional ?? false,
  }));
  const required = sent.flatMap(({ name, isOptional }) => (isOptional ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(sent.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    ...(!takesOwnKeys && { additionalProperties: false }),
  };
}

/** A member of a class as it is sent. */
interface AnswerMember {
  readonly property: string;
  /** On the wire. */
  readonly name: string;
  /** Without keywords if its type is unknown. */
  readonly schema: JsonSchema;
}

/** The members of a class that are sent, and whether there may be others. */
export function answerMembers(
  type: Function,
  { groups, ...more }: AnswerChoice,
  refer: ReferAnswer,
): { readonly takesOwnKeys: boolean; readonly members: readonly AnswerMember[] } {
  const shape = readTransforms(type);
  const choice = { ...more, groups: groups.length > 0 ? groups : undefined };
  const selection = selectKeys(shape, 'toPlain', choice);
  const { exposed, takesOwnKeys } = selection;
  const known = takesOwnKeys
    ? [...new Set([...shape.typeOf.keys(), ...exposed])].filter((name) => selection.keeps(name))
    : exposed;
  const members = known.map((property) => ({
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
  refer: ReferAnswer,
  choice: { readonly groups?: readonly string[]; readonly version?: number },
): JsonSchema {
  const said = schemaOf(type, property)?.keywords;
  const last = selectTransforms(shape, property, 'toPlain', choice).at(-1);
  if (last) return { ...meaningOfTransform(last.transform), ...said };
  const noted: unknown = Reflect.getMetadata('design:type', type.prototype, property);
  const { typeFunction, reflectedType } = shape.typeOf.get(property) ?? {};
  const asked: unknown = (typeFunction?.length === 0 ? typeFunction() : undefined) ?? reflectedType ?? noted;
  const one = typeof asked === 'function' ? (builtIn.get(asked) ?? refer(asked)) : {};
  const schema = noted === Array && asked !== Array ? { type: 'array', items: one } : one;
  return { ...schema, ...said };
}

/** The groups that affect which fields of a class and of its nested classes are sent. */
export function answerGroups(type: Function, seen = new Set<Function>()): ReadonlySet<string> {
  if (seen.has(type)) return new Set();
  seen.add(type);
  const { exposed, transformsOf, typeOf } = readTransforms(type);
  const named = [...exposed, ...[...transformsOf.values()].flat()].flatMap(({ groups }) => groups ?? []);
  const groups = new Set(named);
  for (const { typeFunction } of typeOf.values()) {
    const part: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
    if (typeof part !== 'function' || builtIn.has(part)) continue;
    for (const group of answerGroups(part, seen)) groups.add(group);
  }
  return groups;
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
