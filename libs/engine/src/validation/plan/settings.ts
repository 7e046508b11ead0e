import { validatorDialect } from '../../shapes/rules/reference';
import type { ClassTransformOptions } from 'class-transformer';
import type { ValidatorOptions } from 'class-validator';

/** The options of a validator: class-validator's, class-transformer's, and those of the compiler. */
export interface CompileOptions extends ValidatorOptions {
  /** Class-transformer's options for creating the instance. */
  readonly transformOptions?: ClassTransformOptions;
  /**
   * Fails closed where the libraries throw or guess: see `validators/hardened.ts`. Off by default, which is equal to them.
   */
  readonly hardened?: boolean;
  /** Skips asynchronous rules, as `validateSync` does. */
  readonly ignoreAsync?: boolean;
  /** Errors that have nested errors only have no `value`, which Nest's pipe deletes since 12.5. */
  readonly hidesParentValues?: boolean;
}

/** Class-validator's options as it interprets them. */
export interface Settings {
  readonly groups: readonly string[] | undefined;
  readonly always: boolean;
  readonly strictGroups: boolean;
  readonly forbidUnknownValues: boolean;
  readonly whitelist: boolean;
  readonly forbidNonWhitelisted: boolean;
  readonly skipUndefined: boolean;
  readonly skipNull: boolean;
  readonly skipMissing: boolean;
  readonly stopAtFirstError: boolean;
  readonly defaultMessages: boolean;
  readonly withTarget: boolean;
  readonly withValue: boolean;
  /** The same of errors that have nested errors only. */
  readonly withParentValue: boolean;
  readonly ignoreAsync: boolean;
  /** Whether a nested value that is not an object gets an error of its own, as in class-validator 0.13. */
  readonly nestsRefusals: boolean;
}

/** Interprets options as class-validator does: some by truthiness, some by identity with `true`. */
export function readSettings(options: CompileOptions): Settings {
  const { forbidsUnknown = true, nestsRefusals = false } = validatorDialect() ?? {};
  const { target, value } = options.validationError ?? {};
  const withValue = value === undefined || value === true;
  return Object.freeze({
    groups: options.groups && Object.freeze([...options.groups]),
    always: options.always || false,
    strictGroups: options.strictGroups || false,
    forbidUnknownValues: forbidsUnknown
      ? options.forbidUnknownValues !== false
      : Boolean(options.forbidUnknownValues),
    whitelist: Boolean(options.whitelist),
    forbidNonWhitelisted: Boolean(options.forbidNonWhitelisted),
    skipUndefined: options.skipUndefinedProperties === true,
    skipNull: options.skipNullProperties === true,
    skipMissing: options.skipMissingProperties === true,
    stopAtFirstError: Boolean(options.stopAtFirstError),
    defaultMessages: !options.dismissDefaultMessages,
    withTarget: target === undefined || target === true,
    withValue,
    withParentValue: withValue && !options.hidesParentValues,
    ignoreAsync: Boolean(options.ignoreAsync),
    nestsRefusals,
  });
}
