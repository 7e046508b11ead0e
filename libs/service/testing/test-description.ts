import type { OpenApiDocument } from '@app/contract';
import { schemaChecker } from '@app/contract/testing';
import fc, { type Arbitrary } from 'fast-check';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import { isReferenceRoute } from '../src/reference/api-description.service';
import type { BootedProgram } from './boot-program';
import type { Client } from './client';
import { type DescribedInput, describedInputs } from './described-inputs';

/** `DESCRIPTION_RUNS=20000 npx vitest run … promises.spec.ts` tries more values. */
const numRuns = Number(process.env['DESCRIPTION_RUNS'] ?? 150);
/** Fewer over HTTP, which is slower and only shows that the routes use the pipe. */
const numCalls = 10;

/** Tests that a program accepts exactly what its description allows. To be called inside of `describe`. */
export function testDescription(program: BootedProgram): void {
  it('allows what the program accepts, and not what it rejects', { timeout: 600_000 }, async () => {
    const inputs = await describedInputs(program);
    expect(inputs.map(({ method, path, from }) => `${method} ${path} ${from}`)).toEqual(
      declaredInputs(program),
    );
    for (const { method, path, from, valid, invalid, isAccepted } of inputs) {
      const holds = (values: Arbitrary<unknown>, isAllowed: boolean) => {
        const name = `${method} ${path} ${from}`;
        const same = async (value: unknown) => {
          expect({ name, value, isTaken: await isAccepted(value) }).toEqual({
            name,
            value,
            isTaken: isAllowed,
          });
        };
        return fc.assert(fc.asyncProperty(values, same), { numRuns });
      };
      await holds(valid, true);
      await holds(fc.oneof(...invalid), false);
    }
  });

  it('has valid examples', async () => {
    const inputs = await describedInputs(program);
    for (const { method, path, from, example, isAccepted } of inputs) {
      const name = `${method} ${path} ${from}`;
      if (from !== 'param' || Object.keys(Object(example)).length > 0)
        expect([name, example, await isAccepted(example)]).toEqual([name, example, true]);
    }
  });

  it('has examples that their schemas allow', async () => {
    const document: OpenApiDocument = (await program().get('/openapi.json')).json;
    const checkerOf = schemaChecker(document);
    const exampled = schemasWithExamples(document);
    expect(exampled.length).toBeGreaterThan(20);
    for (const schema of exampled)
      for (const example of schema.examples)
        expect([schema, checkerOf(schema)(example)]).toEqual([schema, undefined]);
  });

  it('does not allow what is rejected with 400 over HTTP', async () => {
    const bodies = (await describedInputs(program)).filter(({ from }) => from === 'body');
    const administrator = await program.administrator();
    for (const body of bodies) await expectRejected(administrator, body);
  });
}

/** The inputs that the routes of a program declare; the reference is not described. */
function declaredInputs(program: BootedProgram): string[] {
  const routes = describeRoutes(program.app()).filter(({ path }) => !isReferenceRoute(path));
  return routes.flatMap(({ method, path, body, query, params, upload }) => {
    const places = { body: upload ? undefined : body, query, param: params };
    return Object.entries(places).flatMap(([from, input]) => (input ? [`${method} ${path} ${from}`] : []));
  });
}

type Exampled = object & { readonly examples: readonly unknown[] };

function schemasWithExamples(part: unknown): readonly Exampled[] {
  if (typeof part !== 'object' || part === null) return [];
  const inside = Object.entries(part).flatMap(([key, value]) =>
    key === 'examples' ? [] : schemasWithExamples(value),
  );
  return isExampled(part) ? [part, ...inside] : inside;
}

function isExampled(part: object): part is Exampled {
  return 'examples' in part && Array.isArray(part.examples);
}

async function expectRejected(client: Client, { method, path, invalid }: DescribedInput): Promise<void> {
  const place = path.replaceAll(/:\w+/g, '1');
  const isRejected = async (value: unknown) => {
    const { status } = await client.send(method, place, value);
    expect({ method, path, value, status }).toEqual({ method, path, value, status: 400 });
  };
  await fc.assert(fc.asyncProperty(fc.oneof(...invalid), isRejected), { numRuns: numCalls });
}
