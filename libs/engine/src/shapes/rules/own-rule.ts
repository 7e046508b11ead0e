import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import { declaredRules } from './scratch';

/** A custom rule that can be compiled, because its author guarantees that it has no side effects. */
export interface OwnRule {
  /** The message key in an error's constraints. */
  readonly name: string;
  /** The values of `$constraint1` and so on in its message. */
  readonly constraints?: readonly (string | number)[];
  /**
   * Whether a value is valid. The result depends on the value alone; it does not throw, wait or have side effects. It
   * may run more often than with class-validator.
   */
  test(value: unknown): boolean;
  /** @param eachPrefix precedes `$property` if the rule applies to each element; see class-validator's `buildMessage` */
  message(eachPrefix: string): string;
}

const tests = new WeakMap<Function, OwnRule['test']>();

/**
 * Declares a custom rule like `ValidateBy`, and lets the compiler call the rule's test directly.
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

/** Returns the test of a rule that {@link ownRule} declared. */
export function ownTestOf({ target }: ConstraintMetadata): OwnRule['test'] | undefined {
  return tests.get(target);
}

/** Whether a property is sent. It is the condition for optional properties that still validate `null`. */
export function isGiven(_object: object, value: unknown): boolean {
  return value !== undefined;
}
