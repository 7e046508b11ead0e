import { type Code, code, type Scope } from '@app/shapes';

/** Says whether a value is valid; the same value always gets the same answer. */
export type Predicate = (value: unknown) => boolean;

/** A rule of class-validator as we know it: what is true, and how to write it down. */
export interface Leaf {
  /** The decorator's name. */
  readonly name: string;
  /** How `explain()` calls what was done: written out by us, or the library's own function without its wrapping. */
  readonly how: 'written out' | 'called directly';
  /** Whether it may throw: a function that is called may, an expression not. */
  readonly throws: boolean;
  /** @returns `undefined` for arguments that were not proven; then the library's validator is called */
  test(constraints: readonly unknown[]): Predicate | undefined;
  /** Writes the same as an expression. `value` is a name. */
  emit(value: Code, scope: Scope, constraints: readonly unknown[], test: Predicate): Code;
  /** The same, for values of which many are not valid. */
  emitDoubted: Leaf['emit'];
}

type Emit = (value: Code, scope: Scope, constraints: readonly unknown[]) => Code | undefined;

/** Declares a rule. What is not written down as an expression is called as a function. */
export function leaf(rule: {
  name: string;
  throws?: boolean;
  test: Leaf['test'];
  emit?: Emit;
  emitDoubted?: Emit;
}): Leaf {
  const { name, test, emit, emitDoubted = emit, throws = !emit } = rule;
  const writer =
    (write: Emit | undefined): Leaf['emit'] =>
    (value, scope, constraints, predicate) =>
      write?.(value, scope, constraints) ?? code`${scope.hoist(predicate, name)}(${value})`;
  return { name, how: 'written out', throws, test, emit: writer(emit), emitDoubted: writer(emitDoubted) };
}

/** A rule for which the library's own predicate is called, with what the decorator was given. */
export function called(name: string, predicate: (value: never, ...given: never[]) => boolean): Leaf {
  const ask = predicate as (value: unknown, ...given: unknown[]) => boolean;
  const emit: Leaf['emit'] = (value, scope, constraints) => {
    const given = constraints.map((one) => code`, ${scope.hoist(one, `${name}_given`)}`);
    return code`${scope.hoist(predicate)}(${value}${given})`;
  };
  return {
    name,
    how: 'called directly',
    throws: true,
    test: (constraints) => (value) => ask(value, ...constraints),
    emit,
    emitDoubted: emit,
  };
}

/** A rule of the library for which its own validator is called, which looks at its constraints and nothing else. */
export function calledByReference(
  name: string,
  validator: { validate(value: unknown, given: object): unknown },
  given: object,
): Leaf {
  const test: Predicate = (value) => Boolean(validator.validate(value, given));
  const emit: Leaf['emit'] = (value, scope) => code`${scope.hoist(test, name)}(${value})`;
  return { name, how: 'called directly', throws: true, test: () => test, emit, emitDoubted: emit };
}
