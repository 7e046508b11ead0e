import { join } from 'node:path';
import { statementsOf } from './specification';

/** The names of all statements of the specification. */
export const statements = statementsOf(join(__dirname, '../../../../docs/specification.md'));

/** The test of one statement, by its name. */
export type States = (name: string, test: () => void | Promise<void>) => void;

/**
 * The tests of one section of the specification: each statement needs a test with its name, and a test without a statement
 * fails.
 */
export function section(number: number, tell: (states: States) => void): void {
  const stated = statements.filter((name) => RegExp(`^§${number}(?!\\d)`).test(name));
  const tested: string[] = [];
  describe(`specification §${number}`, () => {
    tell((name, test) => {
      tested.push(name);
      it(name, test);
    });
    it(`has a test for each of its ${stated.length} statements`, () => {
      expect(tested.toSorted()).toEqual(stated.toSorted());
    });
  });
}
