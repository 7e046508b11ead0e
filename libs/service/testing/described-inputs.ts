import { validValues, invalidObjects } from '@app/contract/testing';
import { GroupedSchema } from '@app/engine';
import type { ArgumentMetadata } from '@nestjs/common';
import type { Arbitrary } from 'fast-check';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import { validationOptions } from '../src/program/create-program.bootstrap';
import { InputPipe, type RouteDescription, type RouteInput } from '@app/contract';
import type { BootedProgram } from './boot-program';

/** The body, query or path parameters of a route, with their description, and whether the program accepts a value. */
export interface DescribedInput {
  readonly route: RouteDescription;
  readonly from: 'body' | 'query' | 'param';
  /** Values that match the schema. */
  readonly valid: Arbitrary<unknown>;
  /** Arbitraries for invalid values. The values of each arbitrary violate the schema in a single way. */
  readonly invalid: readonly Arbitrary<object>[];
  /** The example in the description: a body, or the parameters that have an example. */
  readonly example: unknown;
  isAccepted(value: unknown): Promise<boolean>;
}

const pipes = {
  rejecting: new InputPipe(validationOptions),
  stripping: new InputPipe(validationOptions, 'strip'),
};

/** Returns every input of a program, as its `/openapi.json` describes it. */
export async function describedInputs(program: BootedProgram): Promise<readonly DescribedInput[]> {
  const document: any = (await program().get('/openapi.json')).json;
  return describeRoutes(program.app()).flatMap((route) => inputsOf(route, document));
}

function inputsOf(route: RouteDescription, document: any): DescribedInput[] {
  const { method, path, body, query, params } = route;
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  // The pages of errors are not part of the API.
  if (operation === undefined) return [];
  const content = operation.requestBody?.content['application/json'];
  const places = [
    { from: 'body', input: body, schema: content?.schema },
    { from: 'query', input: query, schema: parametersIn(operation, 'query') },
    { from: 'param', input: params, schema: parametersIn(operation, 'path') },
  ] as const;
  const { schemas } = document.components;
  return places.flatMap(({ from, input, schema }) => {
    if (!input) return [];
    const outside = invalidObjects(schema, schemas);
    const invalid = from === 'body' ? outside : outside.map(inText);
    const valid = validValues(schema, schemas);
    const example = from === 'body' ? content?.example : examplesOf(schema);
    return [{ route, from, valid, invalid, example, isAccepted: accepts(from, input) }];
  });
}

function examplesOf({ properties }: any): object {
  const entries = Object.entries(properties).flatMap(([name, { examples }]: any) =>
    examples ? [[name, examples[0]]] : [],
  );
  return Object.fromEntries(entries);
}

function accepts(
  from: DescribedInput['from'],
  { type, groups, stripsUnknown }: RouteInput,
): DescribedInput['isAccepted'] {
  const schema = groups.length > 0 ? new GroupedSchema(type, groups) : undefined;
  const metadata = { type: from, metatype: type, schema } as ArgumentMetadata;
  const pipe = stripsUnknown === true ? pipes.stripping : pipes.rejecting;
  return async (value) => {
    try {
      await pipe.transform(structuredClone(from === 'body' ? value : asText(value as object)), metadata);
      return true;
    } catch {
      return false;
    }
  };
}

/**
 * Returns the schema for all parameters as an object, because the pipe receives them together while they are described
 * separately.
 */
function parametersIn(operation: any, place: string): any {
  const parameters = (operation?.parameters ?? []).filter((parameter: any) => parameter.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }: any) => [name, schema])),
    required: parameters.flatMap(({ name, required }: any) => (required ? [name] : [])),
    additionalProperties: false,
  };
}

/** Converts numbers to strings, as in a query string. */
function asText(value: object): object {
  const written = (part: unknown) =>
    typeof part === 'number' ? String(Number.isInteger(part) ? BigInt(part) : part) : part;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]));
}

/** Values that a query string cannot represent, or that become valid as text. */
const notInText = new Set<unknown>([null, 7, true]);

function inText(values: Arbitrary<object>): Arbitrary<object> {
  return values.filter((value) => !Object.values(value).some((part) => notInText.has(part)));
}
