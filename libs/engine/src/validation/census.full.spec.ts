import {
  CENSUS,
  type CensusClass,
  CHOICES,
  invalidInput,
  validInput,
  withClass,
} from '../../testing/validation/census/census';
import { STYLES } from '../../testing/validation/census/styles';
import { unlikeLibrary } from '../../testing/validation/equality';
import { Random } from '../../testing/validation/random';
import { compileValidator } from './validators/compile-validator';
import type { CompileOptions } from './plan/settings';

const VALID = 5;
const INVALID = 15;

/** The first difference between the libraries and the compiled functions of a class. */
function firstDifference(censusClass: CensusClass, options: CompileOptions): Promise<string | undefined> {
  return withClass(censusClass, async (declared) => {
    const validator = compileValidator(declared.type, options);
    for (let count = 0; count < VALID + INVALID; count++) {
      const makeInput = () => (count < VALID ? validInput : invalidInput)(declared, new Random(count));
      const difference = await unlikeLibrary(declared.type, options, makeInput, validator);
      if (difference) return `${censusClass.name}, ${JSON.stringify(makeInput())}: ${difference}`;
    }
    return undefined;
  });
}

describe('classes as programs write them', () => {
  for (const [choice, options] of Object.entries(CHOICES))
    it.each(STYLES.map(({ name }) => name))(
      `have the same results as the libraries, ${choice}: %s`,
      async (style) => {
        const differences: unknown[] = [];
        for (const censusClass of CENSUS.filter((candidate) => candidate.style === style))
          differences.push(await firstDifference(censusClass, options));
        expect(differences.filter(Boolean)).toStrictEqual([]);
      },
    );

  it.each([
    ['default options', 99],
    ['implicit conversion', 97],
  ] as const)('are written as code, %s: %d of a hundred', (choice, least) => {
    const isCode = (censusClass: CensusClass) =>
      withClass(censusClass, ({ type }) => compileValidator(type, CHOICES[choice]).explain().how === 'code');
    expect((CENSUS.filter(isCode).length / CENSUS.length) * 100).toBeGreaterThanOrEqual(least);
  });
});
