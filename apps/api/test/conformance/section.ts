import { join } from 'node:path';
import { statementsOf } from './specification';

/** Every statement of the specification, by name. */
export const statements = statementsOf(join(__dirname, '../../../../docs/specification.md'));

/** Pins one statement: its name, and a test that fails when it no longer holds. */
export type States = (name: string, test: () => void | Promise<void>) => void;

/**
 * Holds the program to one section of the specification: each of its statements has a test named
 * by it, and a test that names no statement fails too.
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
