import { allowed, refusedObjects } from '@app/contract/testing';
import { describeRoutes } from '@app/service';
import { GroupedSchema, invalidInput, ValidationPipe } from '@app/validation';
import type { ArgumentMetadata } from '@nestjs/common';
import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import { bootApi } from '../testing/boot-api';

/** `DESCRIPTION_RUNS=20000 npx vitest run … description.spec.ts` looks longer. */
const numRuns = Number(process.env['DESCRIPTION_RUNS'] ?? 150);

const pipe = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  hardened: true,
  exceptionFactory: invalidInput,
});

describe('what the description of api allows', () => {
  const api = bootApi();

  /** Every body, query and path of the program: how it is described, and whether the program takes a value for it. */
  async function inputs() {
    const document: any = (await api().get('/openapi.json')).json;
    const schemas = document.components.schemas;
    return describeRoutes(api.app()).flatMap(({ method, path, body, query, params }) => {
      const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      const places = [
        { from: 'body', input: body, schema: operation?.requestBody?.content['application/json'].schema },
        { from: 'query', input: query, schema: parametersIn(operation, 'query') },
        { from: 'param', input: params, schema: parametersIn(operation, 'path') },
      ] as const;
      return places.flatMap(({ from, input, schema }) => {
        if (!input) return [];
        const { type, groups } = input;
        const grouped = groups.length > 0 ? new GroupedSchema(type, groups) : undefined;
        const metadata = { type: from, metatype: type, schema: grouped } as ArgumentMetadata;
        const isTaken = async (value: unknown) => {
          const sent = structuredClone(from === 'body' ? value : asText(value as object));
          try {
            await pipe.transform(sent, metadata);
            return true;
          } catch {
            return false;
          }
        };
        const outside = refusedObjects(schema, schemas);
        const beyond = from === 'body' ? outside : outside.map(inText);
        return [{ name: `${method} ${path} ${from}`, inside: allowed(schema, schemas), beyond, isTaken }];
      });
    });
  }

  it('is taken by the program, and what lies one step outside is not', { timeout: 600_000 }, async () => {
    const all = await inputs();
    expect(all.length).toBeGreaterThan(25);
    for (const { name, inside, beyond, isTaken } of all) {
      const holds = (values: Arbitrary<unknown>, isAllowed: boolean) => {
        const same = async (value: unknown) => {
          expect({ name, value, isTaken: await isTaken(value) }).toEqual({ name, value, isTaken: isAllowed });
        };
        return fc.assert(fc.asyncProperty(values, same), { numRuns });
      };
      await holds(inside, true);
      await holds(fc.oneof(...beyond), false);
    }
  });

  it('is what its examples are', async () => {
    const document: any = (await api().get('/openapi.json')).json;
    let count = 0;
    for (const { method, path, body } of describeRoutes(api.app())) {
      const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      if (!body) continue;
      const { example } = operation.requestBody.content['application/json'];
      const schema = body.groups.length > 0 ? new GroupedSchema(body.type, body.groups) : undefined;
      const metadata = { type: 'body', metatype: body.type, schema } as ArgumentMetadata;
      expect(await pipe.transform(example, metadata)).toBeInstanceOf(body.type);
      count += 1;
    }
    expect(count).toBeGreaterThan(8);
  });
});

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
