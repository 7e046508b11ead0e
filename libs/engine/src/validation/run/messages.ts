import { isFunction } from '../../shapes/values';
import { validatorDialect } from '../../shapes/rules/reference';
import type { ValidationArguments } from 'class-validator';

type Message = string | ((args: ValidationArguments) => string);

/**
 * Replaces `$constraint1`, `$value`, `$property` and `$target` by their values, in class-validator's order.
 *
 * Each value is the replacement *pattern*, like in class-validator: `$&` in a value has its `String.replace` meaning,
 * `$property` in a value is replaced in turn, and `$constraint1` matches the start of `$constraint10`. A message must be a
 * string or a function; any other message is omitted.
 */
export function fillIn(message: Message, args: ValidationArguments): string {
  // The result of a message function may not be a string; the error that is then thrown contains the name of the
  // variable.
  let messageString = isFunction(message) ? message(args) : (message as string | undefined);
  if (!isFunction(message) && typeof message !== 'string') messageString = undefined;
  if (messageString && Array.isArray(args.constraints)) {
    args.constraints.forEach((constraint: unknown, index) => {
      messageString = messageString!.replace(placeOf(index), constraintText(constraint));
    });
  }
  if (messageString && isPlainValue(args.value))
    messageString = messageString.replace(/\$value/g, args.value as string);
  if (messageString) messageString = messageString.replace(/\$property/g, args.property);
  if (messageString) messageString = messageString.replace(/\$target/g, args.targetName);
  return messageString as string;
}

const places: RegExp[] = [];

/** Returns a pattern for a constraint's placeholder, such as `$constraint1` for the first constraint. */
function placeOf(index: number): RegExp {
  return (places[index] ??= new RegExp(`\\$constraint${index + 1}`, 'g'));
}

function constraintText(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.join(', ');
  const isNamed = typeof constraint === 'symbol' && dialect()?.namesSymbols !== false;
  return `${(isNamed ? constraint.description : constraint) as string}`;
}

function isPlainValue(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return (typeof value === 'boolean' || typeof value === 'number') && dialect()?.fillsInNumbers !== false;
}

let cachedDialect: ReturnType<typeof validatorDialect>;

function dialect() {
  cachedDialect ??= validatorDialect();
  return cachedDialect;
}
