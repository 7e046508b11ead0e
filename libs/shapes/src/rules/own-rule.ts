import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import { declaredRules } from './scratch';

/** A rule of one's own that can be compiled, because its author says what it does not do. */
export interface OwnRule {
  /** The key of its message among the constraints of an error. */
  readonly name: string;
  /** What its message may speak of as `$constraint1` and so on. */
  readonly constraints?: readonly (string | number)[];
  /**
   * Whether a value holds. The same value always gets the same answer; nothing is thrown, waited for or changed. It may
   * run more often than class-validator would run it.
   */
  test(value: unknown): boolean;
  /** @param eachPrefix stands before `$property` where the rule is for each element; see class-validator's `buildMessage` */
  message(eachPrefix: string): string;
}

const tests = new WeakMap<Function, OwnRule['test']>();

/**
 * Declares a rule of one's own as `ValidateBy` does, in such a way that the compiler may call its test itself.
 *
 * @param options class-validator's own: message, groups and the rest
 */
export function ownRule(rule: OwnRule, options?: ValidationOptions): PropertyDecorator {
  const { name, constraints = [], test, message } = rule;
  const validator = {
    validate: (value: unknown) => test(value),
    defaultMessage: buildMessage(message, options),
  };
  const decorate = ValidateBy({ name, constraints: [...constraints], validator }, options);
  return (target, property) => {
    decorate(target, property);
    const wrapper = declaredRules(target.constructor).at(-1)?.constraintCls;
    if (wrapper) tests.set(wrapper, test);
  };
}

/** The test of a rule that was declared by {@link ownRule}. */
export function ownTestOf({ target }: ConstraintMetadata): OwnRule['test'] | undefined {
  return tests.get(target);
}

/** The condition of a property that may be left out; any other value, `null` too, is held to its rules. */
export function isGiven(_object: object, value: unknown): boolean {
  return value !== undefined;
}
