import { type ValidationArguments, ValidationError } from 'class-validator';
import type { Settings } from '../plan/settings';

/** The members that are read from class-validator's `ValidationMetadata`. */
export interface Declared {
  readonly type: string;
  readonly propertyName: string;
  readonly message?: unknown;
  readonly context?: unknown;
  readonly constraints?: readonly unknown[] | undefined;
}

/** The validation state, in addition to the errors. */
export interface Pending {
  /** The pending asynchronous rules. Their errors are created before it is known whether the rules fail. */
  readonly pending: PromiseLike<unknown>[];
  /** Whether a failed rule has a name that is not an enumerable key in `constraints`, such as a symbol. */
  hasHiddenNames: boolean;
}

/** Validates an instance by the rules of its own class, and appends to `errors`. */
export type Check = (object: object, errors: ValidationError[], run: Pending) => void;

/** An error that has constraints or may get constraints. */
export type OpenError = ValidationError & { constraints: Record<string, string> };

/**
 * The error for a property in an object. It is created when a rule fails, so that a valid property costs nothing;
 * class-validator creates an error for each property and removes the empty errors.
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

  /** Returns the error with an empty `constraints`, as class-validator creates it. */
  open(): OpenError {
    const error = this.error();
    error.constraints ??= {};
    return error as OpenError;
  }

  addChildren(children: ValidationError[]): void {
    if (children.length > 0) this.error().children = children;
  }

  addContext(type: string, context: unknown): void {
    const constraints: Readonly<Record<string, unknown>> = this.made?.constraints ?? NOTHING;
    // A rule that is named like a member of every object has a context also if it holds.
    if (constraints[type]) addContext(this.made ?? new ValidationError(), type, context);
  }

  private error(): ValidationError {
    const { settings, list, object, value, property } = this;
    this.made ??= pushError(settings, list, object, value, property, [], undefined, false);
    return this.made;
  }
}

const NOTHING = {};

/** Adds a rule's `context` under the rule's name. */
export function addContext(error: ValidationError, type: string, context: unknown): void {
  error.contexts ??= {};
  error.contexts[type] = Object.assign((error.contexts[type] as object | undefined) ?? {}, context);
}

/**
 * Creates an error with its keys in class-validator's order, and appends it to a list.
 *
 * @param isParent whether it only has nested errors
 */
export function pushError(
  settings: Settings,
  list: ValidationError[],
  object: object,
  value: unknown,
  property: string,
  children: ValidationError[] | undefined,
  constraints?: Record<string, string>,
  isParent = constraints === undefined,
): ValidationError {
  const error = new ValidationError();
  if (settings.withTarget) error.target = object;
  if (isParent ? settings.withParentValue : settings.withValue) error.value = value;
  error.property = property;
  error.children = children as ValidationError[];
  if (constraints !== undefined) error.constraints = constraints;
  list.push(error);
  return error;
}

/** Returns the arguments for a validator and a message function. */
export function argumentsOf(object: object, value: unknown, declared: Declared): ValidationArguments {
  return {
    targetName: (object.constructor ? object.constructor.name : undefined) as string,
    property: declared.propertyName,
    object,
    value,
    constraints: declared.constraints as unknown[],
  };
}
