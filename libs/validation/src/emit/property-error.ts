import { type ValidationArguments, ValidationError } from 'class-validator';
import type { Settings } from '../plan/settings';

/** One rule as class-validator declares it: `ValidationMetadata`, as far as it is read. */
export interface Declared {
  readonly type: string;
  readonly propertyName: string;
  readonly message?: unknown;
  readonly context?: unknown;
  readonly constraints?: readonly unknown[] | undefined;
}

/** What one validation keeps beside its errors. */
export interface Pending {
  /** What asynchronous rules have yet to say. Errors were made before it was known whether they are any. */
  readonly pending: PromiseLike<unknown>[];
}

/** Checks an instance by the rules of its own class, and puts what is wrong into `errors`. */
export type Check = (object: object, errors: ValidationError[], run: Pending) => void;

/** An error that has, or may yet get, constraints. */
export type OpenError = ValidationError & { constraints: Record<string, string> };

/**
 * What is wrong with one property of one object. The error itself is made when there is something to say, so that a
 * property without faults costs nothing; class-validator makes one for each and strips the empty ones.
 */
export class PropertyError {
  private made: ValidationError | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly list: ValidationError[],
    readonly object: object,
    readonly value: unknown,
    readonly property: string,
  ) {}

  get hasConstraints(): boolean {
    const constraints = this.made?.constraints;
    return constraints !== undefined && Object.keys(constraints).length > 0;
  }

  /** The error with room for constraints: what class-validator has from the start. */
  open(): OpenError {
    const error = this.error();
    error.constraints ??= {};
    return error as OpenError;
  }

  addChildren(children: ValidationError[]): void {
    if (children.length > 0) this.error().children = children;
  }

  addContext(type: string, context: unknown): void {
    if (this.made?.constraints?.[type]) addContext(this.made, type, context);
  }

  private error(): ValidationError {
    this.made ??= pushError(this.settings, this.list, this.object, this.value, this.property);
    return this.made;
  }
}

/** Lays what a rule's `context` holds under the rule's name. */
export function addContext(error: ValidationError, type: string, context: unknown): void {
  error.contexts ??= {};
  error.contexts[type] = Object.assign((error.contexts[type] as object | undefined) ?? {}, context);
}

/** Makes an error with its keys in class-validator's order. */
export function pushError(
  settings: Settings,
  list: ValidationError[],
  object: object,
  value: unknown,
  property: string,
): ValidationError {
  const error = new ValidationError();
  if (settings.withTarget) error.target = object;
  if (settings.withValue) error.value = value;
  error.property = property;
  error.children = [];
  list.push(error);
  return error;
}

/** What a validator and a message are told. */
export function argumentsOf(object: object, value: unknown, declared: Declared): ValidationArguments {
  return {
    targetName: (object.constructor ? object.constructor.name : undefined) as string,
    property: declared.propertyName,
    object,
    value,
    constraints: declared.constraints as unknown[],
  };
}
