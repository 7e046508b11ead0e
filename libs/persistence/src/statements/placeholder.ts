/** Represents a value that is passed when a statement is executed. */
export class Placeholder {
  private readonly member: string;
  private readonly convert: (value: unknown) => unknown;

  constructor(member: string, convert: (value: unknown) => unknown = (value) => value) {
    this.member = member;
    this.convert = convert;
  }

  /** @param given the execution argument */
  valueIn(given: object): unknown {
    return this.convert(Reflect.get(given, this.member));
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
 * @param given a member in the statement's first argument
 */
export function computed<Given, Value>(given: Given, compute: (given: Given) => Value): Value;
export function computed(given: unknown, compute: (given: unknown) => unknown): Placeholder {
  if (!isPlaceholder(given)) throw new TypeError('the value must be given to a statement');
  return given.convertedBy(compute);
}

/** Creates the first argument of a query under construction. Each member is a {@link Placeholder}. */
export function placeholdersFor<Given extends object>(build: (given: Given, db: never) => unknown): Given;
export function placeholdersFor(): object {
  return new Proxy({}, { get: (_, member) => new Placeholder(String(member)) });
}
