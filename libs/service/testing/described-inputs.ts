import { allowed, refusedObjects } from '@app/contract/testing';
import { GroupedSchema, ValidationPipe } from '@app/validation';
import type { ArgumentMetadata } from '@nestjs/common';
import type { Arbitrary } from 'fast-check';
import { describeRoutes } from '../src/nest/contract/describe-routes';
import { strictly } from '../src/nest/create-program';
import type { RouteDescription, RouteInput } from '@app/contract';
import type { BootedProgram } from './boot-program';

/** A body, a query or a path of a program: how it is described, and whether the program takes a value for it. */
export interface DescribedInput {
  readonly method: string;
  /** With its parameters named, such as `/users/:id`. */
  readonly path: string;
  readonly from: 'body' | 'query' | 'param';
  /** What the description allows. */
  readonly inside: Arbitrary<unknown>;
  /** What lies one step outside, one kind of step each. */
  readonly beyond: readonly Arbitrary<object>[];
  /** Of a body alone: the one that the description shows. */
  readonly example: unknown;
  isTaken(value: unknown): Promise<boolean>;
}

const pipe = new ValidationPipe(strictly);

/** Every input of a program, as its own `/openapi.json` describes it. */
export async function describedInputs(program: BootedProgram): Promise<readonly DescribedInput[]> {
  const document: any = (await program().get('/openapi.json')).json;
  return describeRoutes(program.app()).flatMap((route) => inputsOf(route, document));
}

function inputsOf({ method, path, body, query, params }: RouteDescription, document: any): DescribedInput[] {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const content = operation?.requestBody?.content['application/json'];
  const places = [
    { from: 'body', input: body, schema: content?.schema },
    { from: 'query', input: query, schema: parametersIn(operation, 'query') },
    { from: 'param', input: params, schema: parametersIn(operation, 'path') },
  ] as const;
  const { schemas } = document.components;
  return places.flatMap(({ from, input, schema }) => {
    if (!input) return [];
    const outside = refusedObjects(schema, schemas);
    const beyond = from === 'body' ? outside : outside.map(inText);
    const inside = allowed(schema, schemas);
    return [{ method, path, from, inside, beyond, example: content?.example, isTaken: takes(from, input) }];
  });
}

function takes(from: DescribedInput['from'], { type, groups }: RouteInput): DescribedInput['isTaken'] {
  const schema = groups.length > 0 ? new GroupedSchema(type, groups) : undefined;
  const metadata = { type: from, metatype: type, schema } as ArgumentMetadata;
  return async (value) => {
    try {
      await pipe.transform(structuredClone(from === 'body' ? value : asText(value as object)), metadata);
      return true;
    } catch {
      return false;
    }
  };
}

/** Parameters are described one by one, and arrive as one object. */
function parametersIn(operation: any, place: string): any {
  const parameters = (operation?.parameters ?? []).filter((one: any) => one.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }: any) => [name, schema])),
    required: parameters.flatMap(({ name, required }: any) => (required ? [name] : [])),
    additionalProperties: false,
  };
}

/** As a query or a path has it: numbers are written, whole ones in digits. */
function asText(value: object): object {
  const written = (part: unknown) =>
    typeof part === 'number' ? String(Number.isInteger(part) ? BigInt(part) : part) : part;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]));
}

/** What a text cannot be, or what it is as well once it is written. */
const notInText = new Set<unknown>([null, 7, true]);

function inText(values: Arbitrary<object>): Arbitrary<object> {
  return values.filter((value) => !Object.values(value).some((part) => notInText.has(part)));
}
