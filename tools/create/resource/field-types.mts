import { singularOf } from '../plural.mts';
import type { FieldType } from './field-type.mts';
import type { Field } from './fields.mts';
import type { Resource } from './resource.mts';

/** The facts about a field type that the resource files state. */
interface TypeFacts {
  /** The column type in `Columns`. */
  readonly column: 'text' | 'integer' | 'boolean' | 'timestamp' | 'json';
  /** The TypeScript type in the table. */
  readonly rowType: string;
  /** The TypeScript type of a validated field. */
  readonly received: string;
  /** The JSON Schema for sent values. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether the schema is declared although the TypeScript type says the same. */
  readonly isSchemaNeeded: boolean;
  readonly rules: readonly string[];
  /** A valid value that depends on `n`. */
  readonly sample: (name: string) => string;
  /** The invalid values except null. */
  readonly wrong: readonly string[];
}

const TYPES: Readonly<Record<Exclude<FieldType, 'one-of' | 'list'>, TypeFacts>> = {
  text: {
    column: 'text',
    rowType: 'string',
    received: 'string',
    schema: { type: 'string' },
    isSchemaNeeded: false,
    rules: ['@MinLength(1)', '@NoLongerThan(200)'],
    sample: (name) => `\`${name} \${n}\``,
    wrong: ["''", '1', "'x'.repeat(201)"],
  },
  integer: {
    column: 'integer',
    rowType: 'number',
    received: 'number',
    schema: { type: 'integer' },
    isSchemaNeeded: true,
    rules: ['@IsInt()', '@Min(Number.MIN_SAFE_INTEGER)', '@Max(Number.MAX_SAFE_INTEGER)'],
    sample: () => 'n',
    wrong: ['1.5', "'1'", '2 ** 53'],
  },
  boolean: {
    column: 'boolean',
    rowType: 'boolean',
    received: 'boolean',
    schema: { type: 'boolean' },
    isSchemaNeeded: false,
    rules: ['@IsBoolean()'],
    sample: () => 'n % 2 === 0',
    wrong: ["'true'", '1'],
  },
  timestamp: {
    column: 'timestamp',
    rowType: 'Date',
    received: 'string',
    schema: { type: 'string', format: 'date-time' },
    isSchemaNeeded: false,
    rules: ['@IsMoment()'],
    sample: () => 'new Date(Date.UTC(2026, 0, 1) + n).toISOString()',
    wrong: ["'2026-11-21'", '1', "'2026-02-30T00:00:00Z'"],
  },
  date: {
    column: 'text',
    rowType: 'string',
    received: 'string',
    schema: { type: 'string', format: 'date' },
    isSchemaNeeded: true,
    rules: ['@IsCalendarDate()'],
    sample: () => 'new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)',
    wrong: ["'2026-02-30'", "'2026-11-21T00:00:00Z'", '1'],
  },
  decimal: {
    column: 'text',
    rowType: 'string',
    received: 'string',
    schema: { type: 'string', format: 'decimal', examples: ['12.50'] },
    isSchemaNeeded: true,
    rules: [
      "@Matches(/^-?\\d{1,15}(?:\\.\\d{1,6})?$/, { message: '$property must be a decimal number such as 12.50' })",
      "@Schema({ examples: ['12.50'] })",
    ],
    sample: () => '`${n}.50`',
    wrong: ['1.5', "'1,5'", "'1e3'", "'.5'"],
  },
  ref: {
    column: 'integer',
    rowType: 'number',
    received: 'number',
    schema: { type: 'integer' },
    isSchemaNeeded: true,
    rules: ['@IsInt()', '@Min(1)', '@Max(Number.MAX_SAFE_INTEGER)'],
    sample: () => '1',
    wrong: ['0', "'1'", '1.5'],
  },
  json: {
    column: 'json',
    rowType: 'Record<string, unknown>',
    received: 'Record<string, unknown>',
    schema: { type: 'object', additionalProperties: true },
    isSchemaNeeded: true,
    rules: ['@IsJsonObject()'],
    sample: () => '{ n, list: [{ n }] }',
    wrong: ["'text'", '1', '[]', "{ a: 'x'.repeat(17_000) }"],
  },
};

/** Returns the facts that the resource files state about a field. */
export function factsOf(resource: Pick<Resource, 'camel' | 'pascal'>, field: Field): TypeFacts {
  if (field.type === 'one-of') return choiceFacts(resource, field);
  return field.type === 'list' ? listFacts(resource, field) : TYPES[field.type];
}

function choiceFacts(resource: Pick<Resource, 'camel'>, field: Field): TypeFacts {
  const list = choicesName(resource, field);
  return {
    column: 'text',
    rowType: field.choices.map(quoted).join(' | '),
    received: `(typeof ${list})[number]`,
    schema: { enum: field.choices },
    isSchemaNeeded: true,
    rules: [`@IsIn(${list})`],
    sample: () => `[${field.choices.map(quoted).join(', ')}][n % ${field.choices.length}]`,
    wrong: ["'none of them'", '1'],
  };
}

/** Returns the facts about a list. It is stored as a single value, so its parts are read and replaced with their row. */
function listFacts(resource: Pick<Resource, 'camel' | 'pascal'>, field: Field): TypeFacts {
  const part = partName(resource, field);
  const parts = field.parts ?? [];
  const factsOfPart = (member: Field) => factsOf(partOwner(resource, field), member);
  const types = parts.map((member) => `${member.name}: ${factsOfPart(member).rowType}`).join('; ');
  const samples = parts
    .map((member) => `${member.name}: ${factsOfPart(member).sample(member.name)}`)
    .join(', ');
  return {
    column: 'json',
    rowType: `{ ${types} }[]`,
    received: `Create${part}[]`,
    schema: {},
    isSchemaNeeded: false,
    rules: [
      '@IsArray()',
      '@NoMoreThan(100)',
      '@ValidateNested({ each: true })',
      `@Type(() => Create${part})`,
    ],
    sample: () => `[{ ${samples} }]`,
    wrong: ["'text'", '{}', '[1]', '[{}]', `Array.from({ length: 101 }, (_, n) => ({ ${samples} }))`],
  };
}

/** The class of a part that is sent: `TaskLine`. */
export function partName({ pascal }: Pick<Resource, 'pascal'>, { name }: Field): string {
  const singular = singularOf(name) ?? `${name}Part`;
  return `${pascal}${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
}

/** Returns the prefix for a part's constant names. */
export function partOwner(
  resource: Pick<Resource, 'camel' | 'pascal'>,
  field: Field,
): Pick<Resource, 'camel' | 'pascal'> {
  const pascal = partName(resource, field);
  return { pascal, camel: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}` };
}

/** The constant with the values of a choice: `taskStatusValues`. */
export function choicesName({ camel }: Pick<Resource, 'camel'>, { name }: Field): string {
  return `${camel}${name.charAt(0).toUpperCase()}${name.slice(1)}Values`;
}

/** Returns `@Schema(…)` for a sent field; empty if its type is sufficient. */
export function schemaText(resource: Pick<Resource, 'camel' | 'pascal'>, field: Field): string {
  const { schema, isSchemaNeeded } = factsOf(resource, field);
  if (!isSchemaNeeded && !field.isNullable) return '';
  return `@Schema(${literal(field.isNullable ? orNull(schema) : schema)})`;
}

function orNull({ type, enum: choices, ...others }: Readonly<Record<string, unknown>>) {
  if (Array.isArray(choices)) return { enum: [...choices, null] };
  return { type: [type, 'null'], ...others };
}

/** Returns the default of a field as TypeScript; `undefined` if it has no default. A list is empty by default. */
export function initialText({ type, initial }: Field): string | undefined {
  if (type === 'list') return '[]';
  return initial === undefined ? undefined : literal(initial);
}

/** A value as TypeScript, in this workspace's quotes. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member)}`);
  return `{ ${members.join(', ')} }`;
}

function quoted(text: string): string {
  return `'${text}'`;
}
