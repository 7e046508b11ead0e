import { type Code, code, type Scope } from '@app/shapes';

/** Returns whether a value is valid; the result depends on the value alone. */
export type Predicate = (value: unknown) => boolean;

/** A known rule of class-validator: its predicate, and its compiled form. */
export interface Leaf {
  /** The decorator's name. */
  readonly name: string;
  /** The term of `explain()`: compiled by us, or the library's own function without its wrapper. */
  readonly how: 'written out' | 'called directly';
  /** Whether it may throw: a called function may, an expression may not. */
  readonly throws: boolean;
  /** @returns `undefined` for unproven arguments; then the library's validator is called */
  test(constraints: readonly unknown[]): Predicate | undefined;
  /** Generates the same as an expression. `value` is a name. */
  emit(value: Code, scope: Scope, constraints: readonly unknown[], test: Predicate): Code;
  /** Of a rule with several messages: a number for each string, the same only if the message is. */
  readonly messageOf?: MessageOf | undefined;
}

/** Numbers the messages of a rule with such constraints. */
export type MessageOf = (constraints: readonly unknown[]) => (text: string) => number;

type Emit = (value: Code, scope: Scope, constraints: readonly unknown[], test: Predicate) => Code | undefined;

/** Declares a rule. Without an expression it is called as a function. */
export function leaf(rule: {
  name: string;
  throws?: boolean;
  test: Leaf['test'];
  emit?: Emit;
  messageOf?: MessageOf;
}): Leaf {
  const { name, test, emit, throws = !emit, messageOf } = rule;
  const write: Leaf['emit'] = (value, scope, constraints, predicate) =>
    emit?.(value, scope, constraints, predicate) ?? code`${scope.hoist(predicate, name)}(${value})`;
  return { name, how: 'written out', throws, test, emit: write, messageOf };
}

/** A rule that calls the library's own predicate, with the arguments of the decorator. */
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
  };
}

/** A rule that calls the library's own validator, which reads its constraints only. */
export function calledByReference(
  name: string,
  validator: { validate(value: unknown, given: object): unknown },
  given: object,
): Leaf {
  const test: Predicate = (value) => Boolean(validator.validate(value, given));
  const emit: Leaf['emit'] = (value, scope) => code`${scope.hoist(test, name)}(${value})`;
  return { name, how: 'called directly', throws: true, test: () => test, emit };
}
