import { type Code, code } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { JsonSchema } from '../../shapes/wire/meaning';

/** Returns whether a value is valid; the result depends on the value alone. */
export type Predicate = (value: unknown) => boolean;

type Constraints = readonly unknown[];

/** What is known of a rule of class-validator: one declaration has all of it. */
export interface BuiltInRule extends Facts {
  /** The key of its message among the constraints of an error. */
  readonly key: string;
  /** @returns `undefined` if the test is not known, or not proven for such arguments; then the library's validator is called */
  compile(constraints: Constraints): CompiledTest | undefined;
}

/** The test of a rule with its arguments. */
export interface CompiledTest {
  /** For names in generated code. */
  readonly name: string;
  /** The term of `explain()`: compiled by us, or the library's own function without its wrapper. */
  readonly how: 'written out' | 'called directly';
  /** Whether it may throw: a called function may, an expression may not. */
  readonly throws: boolean;
  readonly test: Predicate;
  /** Generates the same as an expression. `value` is a name. */
  emit(value: Code, scope: Scope): Code;
}

interface Facts {
  /** The decorator's name. */
  readonly name: string;
  /** Names of its arguments, for clients; without a name, an argument is not reported. */
  readonly arguments?: readonly string[];
  /** The kind of values that it passes, others fail. */
  readonly takes?: 'text' | 'number' | 'list' | 'object';
  /** Whether it passes nearly all values of that kind, as `IsNotEmpty` does: it does not restrict a value. */
  readonly isOpen?: boolean;
  /** Which bound each of its arguments is. */
  readonly bounds?: readonly ('lower' | 'upper')[];
  /** Whether it takes several microseconds: it is called once, when the instance is complete. */
  readonly isExpensive?: boolean;
  /** JSON Schema of the values that it passes, by its arguments; `undefined` if no keywords are equivalent. */
  readonly keywords?: (...constraints: never[]) => JsonSchema | undefined;
}

interface Declaration extends Facts {
  /** That of the decorator's name, unless the library spells it differently. */
  readonly key?: string;
  readonly throws?: boolean;
  /** The library's own predicate, called with the arguments of the decorator. */
  readonly calls?: (value: never, ...constraints: never[]) => boolean;
  /** Proven to equal the library's; `undefined` for other arguments. */
  readonly test?: (constraints: Constraints) => Predicate | undefined;
  /** The same as an expression; without it, `test` is called. */
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

/** The test of a rule that calls a predicate, with the arguments of the decorator. */
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

/** The test of a rule that calls the library's own validator, which reads its constraints only. */
export function referenceTest(
  name: string,
  validator: { validate(value: unknown, given: object): unknown },
  given: object,
): CompiledTest {
  const test: Predicate = (value) => Boolean(validator.validate(value, given));
  const emit: CompiledTest['emit'] = (value, scope) => code`${scope.hoist(test, name)}(${value})`;
  return { name, how: 'called directly', throws: true, test, emit };
}

/** Deeper arguments may have any state. */
const MOST_DEPTH = 4;

/** Whether arguments have no state, in any depth: no function, no regular expression that remembers where it was. */
export function isStateless(given: unknown, depth = 0): boolean {
  if (typeof given === 'function') return false;
  if (typeof given !== 'object' || given === null) return true;
  if (given instanceof RegExp) return !given.global && !given.sticky;
  return depth <= MOST_DEPTH && Object.values(given).every((one) => isStateless(one, depth + 1));
}
