import type { ValidationArguments } from 'class-validator';

type Message = string | ((given: ValidationArguments) => string);

/**
 * Puts values in the place of `$constraint1`, `$value`, `$property` and `$target`, in class-validator's order.
 *
 * Each value is the *pattern* of a replacement, as it is there: `$&` in a value means what it means to
 * `String.replace`, `$property` in a value is replaced in turn, and `$constraint1` eats the head of `$constraint10`.
 * A message that is neither text nor function stays away.
 */
export function fillIn(message: Message, given: ValidationArguments): string {
  let text = typeof message === 'function' ? message(given) : (message as string | undefined);
  if (typeof message !== 'function' && typeof message !== 'string') text = undefined;
  if (text && Array.isArray(given.constraints)) text = withConstraints(text, given.constraints);
  if (text && isPlainValue(given.value)) text = text.replace(/\$value/g, given.value as string);
  if (text) text = text.replace(/\$property/g, given.property);
  if (text) text = text.replace(/\$target/g, given.targetName);
  return text as string;
}

function withConstraints(text: string, constraints: readonly unknown[]): string {
  let filled = text;
  constraints.forEach((constraint, index) => {
    filled = filled.replace(new RegExp(`\\$constraint${index + 1}`, 'g'), constraintText(constraint));
  });
  return filled;
}

function constraintText(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.join(', ');
  return `${(typeof constraint === 'symbol' ? constraint.description : constraint) as string}`;
}

function isPlainValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
}
