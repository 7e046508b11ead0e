import { type Code, code } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { JsonSchema } from '../../shapes/wire/meaning';

/** Returns whether a value is valid; the result depends on the value alone. */
export type Predicate = (value: unknown) => boolean;

type Constraints = readonly unknown[];

/** A class-validator rule, declared in a single place. */
export interface BuiltInRule extends Facts {
  /** The message key in an error's constraints. */
  readonly key: string;
  /** @returns `undefined` if the test is unknown, or unproven for these arguments; then the library's validator is called */
  compile(constraints: Constraints): CompiledTest | undefined;
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

interface Facts {
  /** The decorator's name. */
  readonly name: string;
  /** The argument names, for clients; an unnamed argument is not reported. */
  readonly arguments?: readonly string[];
  /** The kind of values that can pass; all other values fail. */
  readonly takes?: 'text' | 'number' | 'list' | 'object';
  /** Whether the rule passes nearly all values of that kind, like `IsNotEmpty`, so that it does not restrict a value. */
  readonly isOpen?: boolean;
  /** The bound that each argument sets. */
  readonly bounds?: readonly ('lower' | 'upper')[];
  /** Whether the rule takes several microseconds. Such a rule is called once, when the instance is complete. */
  readonly isExpensive?: boolean;
  /** Returns the JSON Schema for the passing values, by the rule's arguments; `undefined` if no keywords are equivalent. */
  readonly keywords?: (...constraints: never[]) => JsonSchema | undefined;
}

interface Declaration extends Facts {
  /** The message key. Set it only where the library spells the key differently from the decorator's name. */
  readonly key?: string;
  readonly throws?: boolean;
  /** The library's own predicate, called with the decorator's arguments. */
  readonly calls?: (value: never, ...constraints: never[]) => boolean;
  /** Returns a test that is proven to equal the library's test; `undefined` for other arguments. */
  readonly test?: (constraints: Constraints) => Predicate | undefined;
  /** Returns the same test as an expression; if it is missing, `test` is called. */
  readonly emit?: (value: Code, scope: Scope, constraints: Constraints) => Code | undefined;
}

/** Declares a rule. */
export function rule({ key, throws, calls, test, emit, ...facts }: Declaration): BuiltInRule {
  const { name } = facts;
  const compile: BuiltInRule['compile'] = (constraints) => {
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
  };
  return { ...facts, key: key ?? name.charAt(0).toLowerCase() + name.slice(1), compile };
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
      const given = constraints.map((one) => code`, ${scope.hoist(one, `${name}_given`)}`);
      return code`${scope.hoist(predicate)}(${value}${given})`;
    },
  };
}

/** Returns the test for a rule that calls the library's own validator, which reads its constraints only. */
export function referenceTest(
  name: string,
  validator: { validate(value: unknown, given: object): unknown },
  given: object,
): CompiledTest {
  const test: Predicate = (value) => Boolean(validator.validate(value, given));
  const emit: CompiledTest['emit'] = (value, scope) => code`${scope.hoist(test, name)}(${value})`;
  return { name, how: 'called directly', throws: true, test, emit };
}

/** The maximum depth that is inspected. Deeper arguments may have any state. */
const MOST_DEPTH = 4;

/** Whether arguments are free from state at any depth: they contain no function, and no stateful regular expression. */
export function isStateless(given: unknown, depth = 0): boolean {
  if (typeof given === 'function') return false;
  if (typeof given !== 'object' || given === null) return true;
  if (given instanceof RegExp) return !given.global && !given.sticky;
  return depth <= MOST_DEPTH && Object.values(given).every((one) => isStateless(one, depth + 1));
}
