import { hasOtherGuards } from '@app/auth';
import type { OpenApiDocument, RouteDescription } from '@app/contract';
import { schemaChecker } from '@app/contract/testing';
import { expectNoFaults, type Fault } from '@app/persistence/testing';
import { GUARDS_METADATA } from '@nestjs/common/internal';
import { ApplicationConfig } from '@nestjs/core';
import fc, { type Arbitrary, type IAsyncProperty } from 'fast-check';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import { isReferenceRoute } from '../src/reference/api-description.service';
import type { BootedProgram } from './boot-program';
import type { AdmittedCallers } from './admitted-callers';
import { differenceFault, type FaultPlaces, withPlaces } from './promise-faults';
import type { TestContext } from 'vitest';
import { type DescribedInput, describedInputs } from './described-inputs';

/** The number of values to try. `DESCRIPTION_RUNS=20000 npx vitest run … promises.spec.ts` tries more values. */
const numRuns = Number(process.env['DESCRIPTION_RUNS'] ?? 150);
/** The number of values to try over HTTP. It is lower, because HTTP is slower and only shows that the routes use the pipe. */
const numCalls = 10;

const missingExample = 'Add `@example …` to the comment of a member that has none, and run npm run generate';

/** Defines the test of a promise, which a program may skip by its name. */
export type PromiseTest = (name: string, run: (context: TestContext) => Promise<void> | void) => void;

/** A description test's parts. */
export interface DescriptionTest {
  readonly program: BootedProgram;
  readonly callers: AdmittedCallers;
  /** The status for input that violates a rule. */
  readonly invalidStatus: number;
  /** Defines each test. */
  readonly promise: PromiseTest;
}

/** Tests that a program accepts exactly the input that its description allows. Call it inside `describe`. */
export function testDescription({ program, callers, invalidStatus, promise }: DescriptionTest): void {
  promise('allows what the program accepts, and not what it rejects', async () => {
    const inputs = await describedInputs(program);
    expect(inputs.map(nameOf)).toEqual(declaredInputs(program));
    for (const input of inputs) {
      const { valid, invalid, isAccepted } = input;
      const holds = (values: Arbitrary<unknown>, isAllowed: boolean) => {
        const same = async (value: unknown) => (await isAccepted(value)) === isAllowed;
        const problem = isAllowed
          ? 'its description allows this value, and the program rejects it'
          : 'its description forbids this value, and the program accepts it';
        return expectSame(input, problem, fc.asyncProperty(values, same), numRuns);
      };
      await holds(valid, true);
      await holds(fc.oneof(...invalid), false);
    }
  });

  promise('has valid examples', async () => {
    const inputs = await describedInputs(program);
    const rejected: DescribedInput[] = [];
    for (const input of inputs) {
      const { from, example, isAccepted } = input;
      const isEmpty = from === 'param' && Object.keys(Object(example)).length === 0;
      if (!isEmpty && !(await isAccepted(example))) rejected.push(input);
    }
    withPlaces(
      inputs.map(({ route }) => route),
      (places) =>
        expectNoFaults(
          rejected.map((input) => ({
            ...faultOf(input, `it rejects its example ${JSON.stringify(input.example)}`, places),
            remedy: missingExample,
          })),
        ),
    );
  });

  promise('has examples that their schemas allow', async () => {
    const document: OpenApiDocument = (await program().get('/openapi.json')).json;
    const checkerOf = schemaChecker(document);
    const exampled = schemasWithExamples(document);
    expect(exampled.length).toBeGreaterThan(20);
    expectNoFaults(
      exampled.flatMap((schema) =>
        schema.examples.flatMap((example) => {
          const problem = checkerOf(schema)(example);
          return problem === undefined
            ? []
            : [{ subject: `the example ${JSON.stringify(example)}`, problem, remedy: missingExample }];
        }),
      ),
    );
  });

  promise('does not allow what is rejected over HTTP', async ({ annotate }) => {
    const bodies = (await describedInputs(program)).filter(({ from }) => from === 'body');
    for (const body of bodies) {
      const send = await senderOf(callers, body);
      // A guard of the application, or a gate, may refuse a caller before the input is read, whatever it is.
      const { facets = [] } = body.route.callers;
      const mayRefuse = hasGuards(program, body.route) || facets.some(({ hasGate }) => hasGate);
      const refusal = mayRefuse ? await send(body.example) : undefined;
      const isRefused = refusal !== undefined && [401, 403, 404].includes(refusal);
      if (isRefused) await annotate(`${nameOf(body)} was not tried: its guard answers ${refusal}`);
      else await expectRejected(body, send, invalidStatus);
    }
  });
}

function nameOf({ route: { method, path }, from }: DescribedInput): string {
  return `${method} ${path} ${from}`;
}

/** Returns whether a request also passes guards beyond our strategies and roles. */
function hasGuards(program: BootedProgram, { controller, handler }: RouteDescription): boolean {
  const config = program.app().get(ApplicationConfig, { strict: false });
  const targets = [controller, controller.prototype[handler]];
  return hasOtherGuards(config) || targets.some((target) => Reflect.hasMetadata(GUARDS_METADATA, target));
}

/** Sends a body to its route, and returns the status. */
type Sender = (body: unknown) => Promise<number>;

async function senderOf(callers: AdmittedCallers, { route }: DescribedInput): Promise<Sender> {
  const client = await callers.clientOf(route);
  const place = route.path.replaceAll(/:\w+/g, '1');
  return async (body) => (await client.send(route.method, place, body)).status;
}

/** Returns the inputs that a program's routes declare. The reference is not described. */
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

async function expectRejected(input: DescribedInput, send: Sender, expected: number): Promise<void> {
  const isRejected = async (value: unknown) => (await send(value)) === expected;
  const problem = `its description forbids this value, and the response is not a ${expected}`;
  await expectSame(input, problem, fc.asyncProperty(fc.oneof(...input.invalid), isRejected), numCalls);
}

/** Fails with the smallest value for which the property does not hold. */
async function expectSame(
  input: DescribedInput,
  problem: string,
  property: IAsyncProperty<[unknown]>,
  runs: number,
): Promise<void> {
  const { failed, counterexample, seed, errorInstance } = await fc.check(property, { numRuns: runs });
  if (!failed) return;
  // fast-check makes an error of its own of a predicate that returns false.
  if (!String(errorInstance).includes('by returning false')) throw errorInstance;
  const value = `${problem}: ${fc.stringify(counterexample?.[0])} (seed ${seed})`;
  withPlaces([input.route], (places) => expectNoFaults([faultOf(input, value, places)]));
}

function faultOf(input: DescribedInput, problem: string, places: FaultPlaces): Fault {
  return differenceFault(nameOf(input), input.route, input.from, problem, places);
}
