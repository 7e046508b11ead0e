/** Represents a value that is passed when a statement is executed. */
export class Placeholder {
  private readonly member: string;
  private readonly convert: (value: unknown) => unknown;

  constructor(member: string, convert: (value: unknown) => unknown = (value) => value) {
    this.member = member;
    this.convert = convert;
  }

  /** @param parameters the execution argument */
  valueIn(parameters: object): unknown {
    return this.convert(Reflect.get(parameters, this.member));
  }

  /** The same member, converted before it is bound. */
  convertedBy(convert: (value: unknown) => unknown): Placeholder {
    return new Placeholder(this.member, convert);
  }
}

/** Whether a parameter of a compiled query is to be replaced by a given value. */
export function isPlaceholder(value: unknown): value is Placeholder {
  return value instanceof Placeholder;
}

/**
 * Adds a value to a statement that is computed from a given value at each execution.
 *
 * @param source a member in the statement's first argument
 */
export function computed<Given, Value>(source: Given, compute: (value: Given) => Value): Value;
export function computed(source: unknown, compute: (value: unknown) => unknown): Placeholder {
  if (!isPlaceholder(source)) throw new TypeError('the value must be given to a statement');
  return source.convertedBy(compute);
}

/** Creates the first argument of a query under construction. Each member is a {@link Placeholder}. */
export function placeholdersFor<Given extends object>(
  build: (parameters: Given, db: never) => unknown,
): Given;
export function placeholdersFor(): object {
  return new Proxy({}, { get: (_, member) => new Placeholder(String(member)) });
}
