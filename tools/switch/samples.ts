import { responseSchema, exampleOf, inputSchema, type InputType } from '@app/contract';
import type { JsonSchema } from '@app/engine';

/** The nesting limit, because classes may refer to each other. */
const DEEPEST = 4;

type Values = Record<string, unknown>;

/** Makes a body that the class rules allow, as far as JSON Schema describes them. Omits the optional members. */
export function sampleInput(type: InputType): Values {
  return valuesOf(propertiesOf(type, DEEPEST));
}

/** Makes output values by the types of the class members. */
export function sampleOutput(type: Function): Values {
  return valuesOf(sentProperties(type, DEEPEST));
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** The texts to try for a pattern. */
const guesses = [
  'a',
  'abc',
  'ABC',
  'Abc',
  '1',
  '12345',
  '123456',
  'a-1',
  '2026-01-31',
  '+4930123456',
  'Abcdef-1',
];

function guessOf({ pattern, minLength = 0, maxLength = Infinity }: JsonSchema): string | undefined {
  if (pattern === undefined) return undefined;
  const rule = new RegExp(pattern, 'u');
  return guesses.find((text) => text.length >= minLength && text.length <= maxLength && rule.test(text));
}

function valuesOf(properties: Properties): Values {
  const values = Object.entries(properties).map(
    ([name, schema]) => [name, exampleOf(schema, {}) ?? guessOf(schema)] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function propertiesOf(type: InputType, left: number): Properties {
  const refer = (part: InputType): JsonSchema =>
    left === 0 ? {} : { examples: [valuesOf(propertiesOf(part, left - 1))] };
  return inputSchema(type, [], refer).properties;
}

function sentProperties(type: Function, left: number): Properties {
  const refer = (part: Function): JsonSchema =>
    left === 0 ? {} : { examples: [valuesOf(sentProperties(part, left - 1))] };
  return responseSchema(type, { groups: [] }, refer).properties;
}
