import type { Schema } from './openapi.mts';

const formats: Readonly<Record<string, (seed: number) => string>> = {
  email: (seed) => `attack-${seed}@example.com`,
  'date-time': () => '2026-01-31T12:00:00.000Z',
  date: () => '2026-01-31',
  uuid: (seed) => `7f0d4d0e-1bb1-4c66-9c4c-${seed.toString(16).padStart(12, '0')}`,
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  uri: (seed) => `https://example.com/${seed}`,
};

/** The texts to try for a pattern. */
const guesses: readonly ((seed: number) => string)[] = [
  (seed) => `attack-${seed}`,
  (seed) => `attack${seed}`,
  (seed) => `ATTACK${seed}`,
  String,
  (seed) => seed.toString(16).padStart(8, '0'),
  formats.uuid,
];

/**
 * Makes a value that a schema accepts.
 *
 * @param seed different seeds make different values if the schema permits it, so that each value is still free
 * @returns `undefined` if a value cannot be made, for example for an unusual pattern without an example
 */
export function sampleOf(schema: Schema, seed: number): unknown {
  const {
    type,
    const: only,
    enum: choices,
    anyOf,
    oneOf,
    allOf,
    items = {},
    minItems = 1,
    maxItems,
  } = schema;
  if (only !== undefined) return only;
  if (choices) return choices[0];
  if (allOf) return sampleOf(merged(schema, allOf), seed);
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice) return sampleOf(choice, seed);
  switch (typeof type === 'object' ? type[0] : (type ?? (schema.properties ? 'object' : undefined))) {
    case 'object':
      return objectOf(schema, seed);
    case 'array': {
      const item = sampleOf(items, seed);
      return item === undefined
        ? undefined
        : Array.from({ length: Math.min(minItems, maxItems ?? minItems) }, () => item);
    }
    case 'string':
      return textOf(schema, seed);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    default:
      return schema.examples?.[0] ?? schema.example ?? schema.default;
  }
}

function merged(schema: Schema, parts: readonly Schema[]): Schema {
  const all = [{ ...schema, allOf: undefined }, ...parts];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  };
}

/** Makes an object with the required properties, and with the optional properties for which a value can be made. */
/** The optional members for a secret that a service issues, which cannot be made up. */
const issued = /^invit/i;

function objectOf({ properties = {}, required = [] }: Schema, seed: number): unknown {
  const parts = Object.entries(properties)
    .filter(([name]) => required.includes(name) || !issued.test(name))
    .map(([name, part]) => [name, sampleOf(part, seed)] as const);
  if (parts.some(([name, value]) => value === undefined && required.includes(name))) return undefined;
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

function numberOf({ minimum, maximum }: Schema): number {
  return minimum ?? Math.min(1, maximum ?? 1);
}

/** A text that has the format, the pattern and the length of a schema. */
function textOf(
  { format, pattern, minLength = 0, maxLength = Infinity, examples = [], example }: Schema,
  seed: number,
) {
  const ofFormat = format === undefined ? undefined : formats[format];
  if (ofFormat) return ofFormat(seed);
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (pattern === undefined) {
    const text = `attack ${seed} `.padEnd(Math.max(minLength, 12), '.');
    return fits(text) ? text : text.slice(0, maxLength);
  }
  const rule = new RegExp(pattern, 'u');
  const texts = [
    ...guesses.map((guess) => guess(seed)),
    ...[...examples, example].filter((candidate) => typeof candidate === 'string'),
  ];
  return texts.find((text) => fits(text) && rule.test(text));
}
