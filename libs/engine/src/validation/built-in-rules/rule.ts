import { isFunction, isObject } from '../../shapes/values';
import { type Code, code } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { JsonSchema } from '../../shapes/wire/meaning';

/** Returns whether a value is valid; the result depends on the value alone. */
export type Predicate = (value: unknown) => boolean;

type Constraints = readonly unknown[];

/** A class-validator rule as clients see it. */
export interface BuiltInRule extends RuleFacts {
  /** The decorator's name. */
  readonly name: string;
  /** The message key in an error's constraints. */
  readonly key: string;
}

/** The compiled test for a rule with its arguments. */
export interface CompiledTest {
  /** The name for use in generated code. */
  readonly name: string;
  /** The term in `explain()`: compiled by us, or the library's own function without its wrapper. */
  readonly how: 'written out' | 'called directly';
  /** Whether the test may throw. A called function may throw, but an expression never does. */
  readonly throws: boolean;
  readonly test: Predicate;
  /** Generates the same test as an expression. `value` is a name. */
  emit(value: Code, scope: Scope): Code;
}

/** The facts about a rule that schemas and findings need. Programs that only validate leave them out. */
export interface RuleFacts {
  /** The message key. Set it only where the library spells the key differently from the decorator's name. */
  readonly key?: string;
  /** The argument names, for clients; an unnamed argument is not reported. */
  readonly arguments?: readonly string[];
  /** The kind of values that can pass; all other values fail. */
  readonly takes?: 'text' | 'number' | 'list' | 'object';
  /** Whether the rule passes nearly all values of that kind, like `IsNotEmpty`, so that it does not restrict a value. */
  readonly isOpen?: boolean;
  /** The bound that each argument sets. */
  readonly bounds?: readonly ('lower' | 'upper')[];
  /** Returns the JSON Schema for the passing values, by the rule's arguments; `undefined` if no keywords are equivalent. */
  readonly keywords?: (...constraints: never[]) => JsonSchema | undefined;
}

/** The way in which a rule is tested. */
export interface RuleTest {
  readonly throws?: boolean;
  /** Whether the rule takes several microseconds. Such a rule is called once, when the instance is complete. */
  readonly isExpensive?: boolean;
  /** The library's own predicate, called with the decorator's arguments. */
  readonly calls?: (value: never, ...constraints: never[]) => boolean;
  /** Returns a test that is proven to equal the library's test; `undefined` for other arguments. */
  readonly test?: (constraints: Constraints) => Predicate | undefined;
  /** Returns the same test as an expression; if it is missing, `test` is called. */
  readonly emit?: (value: Code, scope: Scope, constraints: Constraints) => Code | undefined;
}

/** Rules by the names of their decorators. */
export type ByName<Part> = Readonly<Record<string, Part>>;

/** Compiles the test for a rule; `undefined` if the test is unknown, or unproven for these arguments. */
export function compileRule(
  name: string,
  { throws, calls, test, emit }: RuleTest,
  constraints: Constraints,
): CompiledTest | undefined {
  if (calls) return isStateless(constraints) ? calledTest(name, calls, constraints) : undefined;
  const holds = test?.(constraints);
  return (
    holds && {
      name,
      how: 'written out',
      throws: throws ?? !emit,
      test: holds,
      emit: (value, scope) =>
        emit?.(value, scope, constraints) ?? code`${scope.hoist(holds, name)}(${value})`,
    }
  );
}

/** A number that a rule compares. */
export interface Measure {
  /** @returns `undefined` for a value that has no such number */
  of(value: unknown): number | undefined;
  /** Generates the test whether a value has the number, and the number. */
  emit(value: Code): readonly [has: Code, measure: Code];
}

type Compare = (measure: number, bound: number) => boolean;

/** The comparisons, with their operators in generated code. */
export const BELOW: readonly [Code, Compare] = [code`<`, (measure, bound) => measure < bound];
export const AT_MOST: readonly [Code, Compare] = [code`<=`, (measure, bound) => measure <= bound];
export const ABOVE: readonly [Code, Compare] = [code`>`, (measure, bound) => measure > bound];
export const AT_LEAST: readonly [Code, Compare] = [code`>=`, (measure, bound) => measure >= bound];

/**
 * Returns the test for a rule that compares a number with its argument.
 *
 * @param fixed the number for a rule without arguments
 */
export function compares({ of, emit }: Measure, [operator, holds]: typeof BELOW, fixed?: number): RuleTest {
  return {
    test: ([argument]) => {
      const bound = fixed ?? argument;
      if (typeof bound !== 'number') return undefined;
      return (value) => {
        const measure = of(value);
        return measure !== undefined && holds(measure, bound);
      };
    },
    emit: (value, _, [argument]) => {
      const [has, measure] = emit(value);
      return code`(${has} && ${measure} ${operator} ${fixed ?? argument})`;
    },
  };
}

/** Returns the test for a rule that calls a predicate with the decorator's arguments. */
export function calledTest(
  name: string,
  predicate: (value: never, ...constraints: never[]) => boolean,
  constraints: Constraints = [],
): CompiledTest {
  const ask = predicate as (value: unknown, ...constraints: unknown[]) => boolean;
  return {
    name,
    how: 'called directly',
    throws: true,
    test: (value) => ask(value, ...constraints),
    emit: (value, scope) => {
      const args = constraints.map((constraint) => code`, ${scope.hoist(constraint, `${name}_given`)}`);
      return code`${scope.hoist(predicate)}(${value}${args})`;
    },
  };
}

/** Returns the test for a rule that calls the library's own validator, which reads its constraints only. */
export function referenceTest(
  name: string,
  validator: { validate(value: unknown, args: object): unknown },
  args: object,
): CompiledTest {
  const test: Predicate = (value) => Boolean(validator.validate(value, args));
  const emit: CompiledTest['emit'] = (value, scope) => code`${scope.hoist(test, name)}(${value})`;
  return { name, how: 'called directly', throws: true, test, emit };
}

/** The maximum depth that is inspected. Deeper arguments may have any state. */
const MOST_DEPTH = 4;

/** Whether arguments are free from state at any depth: they contain no function, and no stateful regular expression. */
export function isStateless(value: unknown, depth = 0): boolean {
  if (isFunction(value)) return false;
  if (!isObject(value)) return true;
  if (value instanceof RegExp) return !value.global && !value.sticky;
  return depth <= MOST_DEPTH && Object.values(value).every((item) => isStateless(item, depth + 1));
}
