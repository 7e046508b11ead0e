import { join } from 'node:path';
import { statementsOf } from './specification';

/** The names of all specification statements. */
export const statements = statementsOf(join(__dirname, '../../../../docs/specification.md'));

/** Registers the test of a statement by the statement's name. */
export type States = (name: string, test: () => void | Promise<void>) => void;

/** Declares the tests of a specification section. Each statement needs a test with its name. A test without a statement fails. */
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
