import type { JsonSchema } from '@app/engine';
import fc, { type Arbitrary } from 'fast-check';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Generates values that a schema allows. */
export function validValues(schema: JsonSchema, schemas: Schemas): Arbitrary<unknown> {
  const { $ref, anyOf, oneOf = anyOf, enum: choices, const: only, type } = schema;
  if ($ref !== undefined) return validValues(referred($ref, schemas), schemas);
  if (oneOf) return fc.oneof(...oneOf.map((variant) => validValues(variant, schemas)));
  if (only !== undefined) return fc.constant(only);
  if (choices) return fc.constantFrom(...choices);
  if (Array.isArray(type)) return fc.oneof(...type.map((name) => ofType({ ...schema, type: name }, schemas)));
  return ofType(schema, schemas);
}

/** Generates values with a single violation; an empty list if the schema allows everything. */
function invalidValues(schema: JsonSchema, schemas: Schemas): Arbitrary<unknown>[] {
  const { $ref, anyOf, oneOf, enum: choices, const: only } = schema;
  if ($ref !== undefined) return invalidValues(referred($ref, schemas), schemas);
  if (anyOf) return [];
  if (oneOf) return oneOf.flatMap((variant) => invalidValues(variant, schemas));
  if (only !== undefined) return [fc.constantFrom('no such choice', null, 7)];
  if (choices) return [fc.constantFrom('no such choice', null).filter((value) => !choices.includes(value))];
  const types = [schema.type ?? []].flat();
  return [...ofOtherType(types), ...types.flatMap((type) => violations({ ...schema, type }, schemas))];
}

/** Generates objects with a single violation: a member is invalid, missing or undeclared. */
export function invalidObjects(schema: JsonSchema, schemas: Schemas): Arbitrary<object>[] {
  const { $ref } = schema;
  return violatingObjects($ref === undefined ? schema : referred($ref, schemas), schemas);
}

function referred($ref: string, schemas: Schemas): JsonSchema {
  return schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {};
}

function ofType(schema: JsonSchema, schemas: Schemas): Arbitrary<any> {
  const { type, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  switch (type) {
    case 'object':
      return objectOf(schema, schemas);
    case 'array':
      return fc.array(validValues(schema.items ?? {}, schemas), {
        minLength: schema.minItems,
        maxLength: Math.min(Number(schema.maxItems ?? 4), 4),
      });
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue().filter(hasUsualNames);
  }
}

/**
 * Returns whether a value has safe member names. Hardened programs refuse names that every object has, although no schema says
 * so.
 */
function hasUsualNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, member]) => name !== 'prototype' && !(name in Object.prototype) && hasUsualNames(member),
  );
}

function objectOf({ properties = {}, required = [] }: JsonSchema, schemas: Schemas): Arbitrary<object> {
  const parts = Object.entries(properties).map(([name, part]) => [name, validValues(part, schemas)]);
  const model: Record<string, Arbitrary<unknown>> = Object.fromEntries(parts);
  return fc.record(model, { requiredKeys: [...required] }).map((record) => ({ ...record }));
}

function textOf({ format, pattern, minLength = 0, maxLength }: JsonSchema): Arbitrary<string> {
  // A pattern does not say which days exist.
  if (format === 'date-time') return moments.map((moment) => moment.toISOString());
  if (format === 'date') return moments.map((moment) => moment.toISOString().slice(0, 10));
  // Its addresses have the characters of RFC 5321 alone, whatever the pattern forbids beside them.
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri-reference')
    return fc.webUrl().map((url) => url.replace('https://', '').replace('http://', ''));
  if (format === 'uri') {
    const protocols = (pattern ?? '^(?:https):')
      .slice(4, -2)
      .replaceAll(/\[(.).\]|\\/g, '$1')
      .toLowerCase();
    return fc.webUrl({ validSchemes: protocols.split('|') });
  }
  if (pattern !== undefined) {
    const written = fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
    return written.filter((text) => text.length >= minLength && text.length <= (maxLength ?? Infinity));
  }
  // A variation selector is a character to JSON Schema, but not to class-validator.
  const text = fc.string({
    unit: anyCharacter,
    minLength,
    maxLength: maxLength ?? minLength + 40,
    size: 'max',
  });
  return text.filter((sample) => !/[\ufe0e\ufe0f]/.test(sample));
}

/** The surrogates, which are not characters by themselves. */
const [firstSurrogate, surrogates] = [0xd800, 0x800];

/**
 * Generates any character like `unit: 'binary'`. It avoids the table of all characters, in which fast-check spends seconds
 * searching for its own texts.
 */
const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff - surrogates }).map(
  (at) => String.fromCodePoint(at < firstSurrogate ? at : at + surrogates),
  (character) => {
    const point = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1;
    if (point < 0 || String.fromCodePoint(point) !== character) throw new TypeError('this is no character');
    return point < firstSurrogate ? point : point - surrogates;
  },
);

const moments = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

/** Generates texts that few patterns permit. Common texts never violate a pattern that forbids control characters only. */
const unusual = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('\u0000', '\u0085', '\u202e', ' ', 'a', 'Ä', '-', '9'), minLength: 1 }),
);

function ofOtherType(types: readonly string[]): Arbitrary<unknown>[] {
  if (types.length === 0) return [];
  const others = [
    ...(types.includes('string') ? [] : ['text', '']),
    ...(types.some((type) => type === 'integer' || type === 'number') ? [] : [7]),
    ...(types.includes('boolean') ? [] : [true]),
    ...(types.includes('null') ? [] : [null]),
    ...(types.includes('array') || types.includes('object') ? [] : [[], {}, ['text'], { text: 1 }]),
  ];
  return [fc.constantFrom<unknown>(...others)];
}

function violations(schema: JsonSchema, schemas: Schemas): Arbitrary<unknown>[] {
  const { type, minimum, maximum, minLength = 0, maxLength, pattern, format, minItems = 0 } = schema;
  const text = (length: number) => fc.string({ minLength: length, maxLength: length });
  switch (type) {
    case 'object':
      return violatingObjects(schema, schemas);
    case 'array':
      return [
        ...invalidValues(schema.items ?? {}, schemas).map((invalid) =>
          fc.array(invalid, { minLength: 1, maxLength: 3 }),
        ),
        ...(minItems > 0 ? [fc.constant([])] : []),
      ];
    case 'string':
      return [
        ...(minLength > 0 ? [text(minLength - 1)] : []),
        ...(maxLength === undefined ? [] : [text(maxLength + 1)]),
        ...(pattern === undefined
          ? []
          : [unusual.filter((sample) => !new RegExp(pattern, 'u').test(sample))]),
        ...(format === 'email' ? [fc.string().filter((sample) => !sample.includes('@'))] : []),
      ];
    case 'integer':
      return [fc.double({ noInteger: true, noNaN: true }), ...outsideBounds(minimum, maximum)];
    case 'number':
      return outsideBounds(minimum, maximum);
    default:
      return [];
  }
}

function outsideBounds(minimum: number | undefined, maximum: number | undefined): Arbitrary<number>[] {
  return [
    ...(minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER
      ? []
      : [fc.integer({ min: Number.MIN_SAFE_INTEGER, max: minimum - 1 })]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
      ? []
      : [fc.integer({ min: maximum + 1 })]),
  ];
}

function violatingObjects(schema: JsonSchema, schemas: Schemas): Arbitrary<object>[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const whole = objectOf(schema, schemas);
  const broken = Object.entries(properties).flatMap(([name, part]) =>
    invalidValues(part, schemas).map((value) =>
      fc.tuple(whole, value).map(([valid, bad]) => ({ ...valid, [name]: bad })),
    ),
  );
  const lacking = required.map((name) =>
    whole.map((valid) => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name))),
  );
  const stranger = fc
    .tuple(whole, fc.jsonValue())
    .map(([valid, value]) => ({ ...valid, noSuchField: value }));
  return [...broken, ...lacking, ...(additionalProperties === false ? [stranger] : [])];
}
