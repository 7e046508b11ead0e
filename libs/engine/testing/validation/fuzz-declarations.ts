import { instanceToPlain as reference } from 'class-transformer';
import { useContainer } from 'class-validator';
import { instanceToPlain } from '../../src/serialization/run/instance-to-plain';
import { pickEntry } from './entries';
import { differenceOfChecks } from './equality';
import { asJson, type Difference, forgetClasses, type FuzzParts } from './fuzz';
import { generateOptions } from './generated-options';
import { generateOddClass, type OddClass } from './odd-declarations';
import { quickContainer } from './quick-container';
import { Random } from './random';

const VALUES_PER_CLASS = 4;

/**
 * Compares classes with odd declarations with the libraries, until the results for a class differ.
 *
 * @param notified called after each class, with the number so far
 */
export async function fuzzDeclarations(
  seed: number,
  classes: number,
  parts: FuzzParts = {},
  notified: (classes: number) => void = () => undefined,
): Promise<{ classes: number; difference: Difference | undefined }> {
  useContainer(quickContainer);
  const random = new Random(seed);
  let difference: Difference | undefined;
  let count = 0;
  for (; count < classes && !difference; count++) {
    difference = await compareDeclarations(random.seed(), parts);
    notified(count);
  }
  useContainer(undefined as never);
  if (Object.keys(Object.prototype).length > 0) throw new Error('a declaration extended every object');
  return { classes: count, difference };
}

/** Compares a few values for a class, generated from a seed. */
export async function compareDeclarations(
  seed: number,
  parts: FuzzParts = {},
): Promise<Difference | undefined> {
  const random = new Random(seed);
  forgetClasses();
  const options = generateOptions(random);
  const odd = generateOddClass(random);
  let entry = pickEntry(random, parts.entries);
  // What hardening refuses is derived from declarations that can be read.
  while (entry.name.includes('hardened')) entry = pickEntry(random, parts.entries);
  for (let count = 0; count < VALUES_PER_CLASS; count++) {
    const inputSeed = random.seed();
    const makeAny = () => odd.makeInput(new Random(inputSeed));
    const makeInput = entry.takesJson ? () => asJson(makeAny()) : makeAny;
    const [ours, theirs] = [entry.ours(odd.type, options), entry.theirs(odd.type, options)];
    const difference =
      (await differenceOfChecks(makeInput, ours, theirs)) ?? (await differenceOfPlain(odd, options));
    if (difference)
      return {
        seed,
        difference: `${entry.name}: ${difference}`,
        description: odd.description,
        options,
        input: makeInput(),
      };
  }
  return undefined;
}

function differenceOfPlain({ type }: OddClass, { transformOptions }: ReturnType<typeof generateOptions>) {
  const fields = { p1: 'abc', 7: [{ a: 1 }] };
  const make = () =>
    Object.create(type.prototype as object, Object.getOwnPropertyDescriptors(fields)) as object;
  const asCheck = (call: typeof reference) => (value: unknown) => ({ value: call(value, transformOptions) });
  return differenceOfChecks(make, asCheck(instanceToPlain), asCheck(reference));
}
