import type { FactType, ProblemType } from '@app/http-errors';
import type { JsonSchema } from '@app/engine';
import type { Components } from '../components';
import type { RuleCodes } from '../rule-codes';

/** The error kinds of a program, and the rules that its inputs can violate. */
export interface DescribedProblems {
  /** The error kinds that any route can have. */
  readonly shared: readonly ProblemType[];
  /** All error kinds, including the error kinds that handlers declare. */
  readonly all: readonly ProblemType[];
  readonly rules: RuleCodes;
}

/** Adds a schema for each error kind, and a schema for an invalid value. */
export function addProblemSchemas({ all, rules }: DescribedProblems, components: Components): void {
  components.add('InvalidValue', invalidValue(all, rules));
  for (const problem of all) components.add(nameOf(problem), problemSchema(problem));
}

/** Returns the schema for an error with several possible kinds. */
export function oneOfProblems(problems: readonly ProblemType[]): JsonSchema {
  const references = problems.map((problem) => ({ $ref: `#/components/schemas/${nameOf(problem)}` }));
  const [only] = references;
  if (only !== undefined && references.length === 1) return only;
  const mapping = Object.fromEntries(problems.map((problem, at) => [problem.code, references[at]?.$ref]));
  return { oneOf: references, discriminator: { propertyName: 'code', mapping } };
}

/** Converts `email-conflict` to `EmailConflictProblem`. */
function nameOf({ code }: ProblemType): string {
  const words = code.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Problem`;
}

function problemSchema({ code, status, title, remedy, params }: ProblemType): JsonSchema {
  return {
    type: 'object',
    description: `${title}. ${remedy}`,
    properties: {
      type: { type: 'string', format: 'uri-reference', examples: [`/problems/${code}`] },
      title: { type: 'string', examples: [title] },
      status: { const: status },
      detail: { type: 'string', examples: [title] },
      instance: {
        type: 'string',
        format: 'uri',
        description: 'The request id as a URN, for finding the request in the log.',
        examples: ['urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a'],
      },
      code: { const: code },
      ...(params && { params: factsSchema(params) }),
      errors: {
        type: 'array',
        description: 'The invalid values in the request.',
        items: { $ref: '#/components/schemas/InvalidValue' },
        maxItems: 50,
      },
      omitted: {
        type: 'integer',
        minimum: 1,
        description: 'How many further invalid values the request has, beyond the 50 in `errors`.',
        examples: [3],
      },
    },
    required: ['type', 'title', 'status', 'detail', 'code', ...(params ? ['params'] : [])],
    additionalProperties: false,
  };
}

const factExamples: Readonly<Record<FactType, unknown>> = { integer: 1, string: 'text', strings: ['text'] };

/** An occurrence of an error. */
export function exampleOfProblem({ code, status, title, params }: ProblemType): object {
  const facts = Object.entries(params ?? {}).map(([name, type]) => [name, factExamples[type]]);
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: title,
    code,
    ...(params && { params: Object.fromEntries(facts) }),
  };
}

const factTypes: Readonly<Record<FactType, JsonSchema>> = {
  integer: { type: 'integer' },
  string: { type: 'string' },
  strings: { type: 'array', items: { type: 'string' } },
};

function factsSchema(params: Readonly<Record<string, FactType>>): JsonSchema {
  const properties = Object.entries(params).map(([name, type]) => [name, factTypes[type]]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(params),
    additionalProperties: false,
  };
}

/** Returns the schema of an invalid value. Codes with the same arguments share a schema. */
function invalidValue(all: readonly ProblemType[], rules: RuleCodes): JsonSchema {
  const byParams = new Map<string, { readonly codes: string[]; readonly params: JsonSchema }>();
  const add = (code: string, params: JsonSchema) => {
    const key = JSON.stringify(params);
    const group = byParams.get(key) ?? { codes: [], params };
    byParams.set(key, group);
    if (!group.codes.includes(code)) group.codes.push(code);
  };
  for (const [code, params] of Object.entries(rules)) add(code, argumentsSchema(params));
  for (const { code, params = {}, namesMembers } of all) {
    if (namesMembers) add(code, factsSchema(params));
  }
  return {
    description: 'A value of the request that is invalid: where it is, the violated rule, and its arguments.',
    anyOf: [...byParams.values()].map(({ codes, params }) => valueSchema(codes, params)),
  };
}

function valueSchema(codes: readonly string[], params: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      in: { enum: ['body', 'query', 'path', 'header'] },
      pointer: { type: 'string', format: 'json-pointer', examples: ['/items/0/quantity'] },
      code: codes.length === 1 ? { const: codes[0] } : { enum: codes },
      params,
      detail: { type: 'string', examples: ['email must be an email'] },
    },
    required: ['in', 'pointer', 'code', 'params', 'detail'],
    additionalProperties: false,
  };
}

/** Returns the schema of rule arguments. An argument is left out if JSON cannot represent it. */
function argumentsSchema(params: Readonly<Record<string, string>>): JsonSchema {
  const properties = Object.entries(params).map(([name, type]) => [name, typeSchema(type)]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function typeSchema(type: string): JsonSchema {
  if (!type.endsWith('[]')) return { type };
  const element = type.slice(0, -2);
  return { type: 'array', items: element === 'unknown' ? {} : { type: element } };
}
