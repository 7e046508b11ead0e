import fc, { type Arbitrary } from 'fast-check';
import type { BootedProgram } from './boot-program';
import { type DescribedInput, describedInputs } from './described-inputs';

/** `DESCRIPTION_RUNS=20000 npx vitest run … description.spec.ts` looks longer. */
const numRuns = Number(process.env['DESCRIPTION_RUNS'] ?? 150);
/** Over HTTP a value costs more, and shows no more than that the pipe is the one that stands there. */
const numCalls = 10;

/**
 * Holds a program's description of what it takes to what it takes. To be called inside of `describe`.
 *
 * @param atLeast so many inputs are expected: fewer, and there is something that is not looked at
 */
export function holdDescription(program: BootedProgram, atLeast: { inputs: number; bodies: number }): void {
  it('is taken by the program, and what lies one step outside is not', { timeout: 600_000 }, async () => {
    const inputs = await describedInputs(program);
    expect(inputs.length).toBeGreaterThanOrEqual(atLeast.inputs);
    for (const { method, path, from, inside, beyond, isTaken } of inputs) {
      const holds = (values: Arbitrary<unknown>, isAllowed: boolean) => {
        const name = `${method} ${path} ${from}`;
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
    const bodies = (await describedInputs(program)).filter(({ from }) => from === 'body');
    expect(bodies.length).toBeGreaterThanOrEqual(atLeast.bodies);
    for (const { method, path, example, isTaken } of bodies)
      expect([method, path, await isTaken(example)]).toEqual([method, path, true]);
  });

  it('is refused with 400 over HTTP where it lies one step outside', async () => {
    const bodies = (await describedInputs(program)).filter(({ from }) => from === 'body');
    for (const body of bodies) await refuses(program, body);
  });
}

async function refuses(program: BootedProgram, { method, path, beyond }: DescribedInput): Promise<void> {
  const client = await program.administrator();
  const place = path.replaceAll(/:\w+/g, '1');
  const refused = async (value: unknown) => {
    const { status } = await client.send(method, place, value);
    expect({ method, path, value, status }).toEqual({ method, path, value, status: 400 });
  };
  await fc.assert(fc.asyncProperty(fc.oneof(...beyond), refused), { numRuns: numCalls });
}
