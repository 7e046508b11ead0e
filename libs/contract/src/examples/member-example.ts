import type { JsonSchema } from '@app/engine';
import { formatSamples, laterNames, laterSamples, patternSamples, samples } from './samples';

/**
 * Adds an example to a member schema, chosen by the member name among the values that its keywords allow. Members with examples,
 * a default or listed values stay unchanged.
 *
 * @param owner the name of the class
 */
export function withExample(schema: JsonSchema, name: string, owner: string): JsonSchema {
  const hasValue = ['examples', 'default', 'const', 'enum'].some((keyword) => keyword in schema);
  if (hasValue || schema.format === 'binary') return schema;
  if (schema.items) return { ...schema, items: withExample(schema.items, name.replace(/s$/, ''), owner) };
  const example = exampleFor(schema, name, owner);
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** An example of a text or a number; `undefined` for other types, and if no sample is allowed. */
export function exampleFor(schema: JsonSchema, name: string, owner: string): unknown {
  const [type] = typesOf(schema);
  if (type === 'string') return textFor(schema, name, owner);
  if (type === 'number' || type === 'integer') return numberFor(schema, name);
  return undefined;
}

function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return [type].flat().filter((name) => name !== 'null');
}

function textFor(schema: JsonSchema, name: string, owner: string): string | undefined {
  const { format, pattern, minLength = 0, maxLength = Infinity } = schema;
  const ofFormat = format === undefined ? undefined : formatSample(format, name);
  const candidates = [
    ...(ofFormat === undefined ? samplesOf(name).filter((sample) => typeof sample === 'string') : [ofFormat]),
    ...(pattern === undefined ? [`Example ${wordsOf(name === 'name' ? owner : name)}`] : patternSamples),
  ];
  const example = candidates.find((candidate) => allows(schema, candidate));
  if (example !== undefined || pattern !== undefined || format !== undefined) return example;
  return 'Example'.padEnd(minLength, '.').slice(0, maxLength);
}

function numberFor(schema: JsonSchema, name: string): number | undefined {
  const { minimum = 1, maximum, multipleOf } = schema;
  const multiple = typeof multipleOf === 'number' ? multipleOf * Math.ceil(minimum / multipleOf) : undefined;
  const ofName = samplesOf(name).filter((sample) => typeof sample === 'number');
  return [...ofName, 7, minimum, maximum, multiple].find(
    (candidate) => candidate !== undefined && allows(schema, candidate),
  );
}

function formatSample(format: string, name: string): string | undefined {
  const later = laterNames.test(plainName(name)) ? laterSamples[format] : undefined;
  return later ?? formatSamples[format];
}

function samplesOf(name: string): readonly (string | number)[] {
  return samples.flatMap(([pattern, ...values]) => (pattern.test(plainName(name)) ? values : []));
}

/** Converts `first_name` to `firstname`. */
function plainName(name: string): string {
  return name.replaceAll(/\W|_/g, '').toLowerCase();
}

/** Converts `CreateApiKey` to `api key`. */
function wordsOf(name: string): string {
  const noun = name.replace(/^(?:Create|Make|Add|New|Change|Update)(?=[A-Z])|(?:Dto|View)?(?:\.\w+)?$/g, '');
  return noun.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase();
}

/** Whether the keywords of a schema allow a value; formats are not compared. */
function allows(schema: JsonSchema, value: string | number): boolean {
  if (!(schema.allOf ?? []).every((part) => allows(part, value))) return false;
  if (typeof value === 'string') {
    const { minLength = 0, maxLength = Infinity, pattern = '' } = schema;
    return value.length >= minLength && value.length <= maxLength && new RegExp(pattern, 'u').test(value);
  }
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    value >= minimum &&
    value <= maximum &&
    (typeof exclusiveMinimum !== 'number' || value > exclusiveMinimum) &&
    (typeof exclusiveMaximum !== 'number' || value < exclusiveMaximum) &&
    (typeof multipleOf !== 'number' || value % multipleOf === 0) &&
    (Number.isInteger(value) || !typesOf(schema).includes('integer'))
  );
}
