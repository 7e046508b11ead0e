import { validatorDialect } from '../../shapes/rules/reference';
import type { ClassTransformOptions } from 'class-transformer';
import type { ValidatorOptions } from 'class-validator';

/** The validator options: class-validator's options, class-transformer's options, and the compiler's own options. */
export interface CompileOptions extends ValidatorOptions {
  /** Class-transformer's options for creating the instance. */
  readonly transformOptions?: ClassTransformOptions;
  /** Fails closed where the libraries throw or guess (see `validators/hardened.ts`). Off by default, like in the libraries. */
  readonly hardened?: boolean;
  /** Skips asynchronous rules, like `validateSync`. */
  readonly ignoreAsync?: boolean;
  /** Removes the `value` from errors that only have nested errors, which Nest's pipe does since 12.5. */
  readonly hidesParentValues?: boolean;
}

/** The class-validator options, as the library interprets them. */
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
  /** Whether errors that only have nested errors have a `value`. */
  readonly withParentValue: boolean;
  readonly ignoreAsync: boolean;
  /** Whether a nested value that is not an object gets its own error, like in class-validator 0.13. */
  readonly nestsRefusals: boolean;
}

/** Interprets options like class-validator: some by truthiness, some by identity with `true`. */
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
