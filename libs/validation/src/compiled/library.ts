import {
  installedValidator,
  installedVersion,
  isKnownValidator,
  isKnownVersion,
  servesStrangers,
} from '@app/shapes';
import { plainToInstance } from 'class-transformer';
import { validate, validateSync, type ValidationError } from 'class-validator';
import type { CompileOptions } from './settings';

/**
 * Says why nothing can be compiled, if so.
 *
 * @returns a sentence for `explain()`, or `undefined`
 */
export function whyLibrary(options: CompileOptions): string | undefined {
  const validator = installedValidator();
  if (!isKnownValidator(validator, options.trustVersions))
    return `class-validator ${validator} was not tested here; name it in trustVersions to compile all the same`;
  const transformer = installedVersion();
  if (!isKnownVersion(transformer, options.trustVersions))
    return `class-transformer ${transformer} was not tested here; name it in trustVersions to compile all the same`;
  if (!servesStrangers()) return 'the container gives no instances of the library’s own validators';
  return options.enableDebugMessages
    ? 'enableDebugMessages is on, and its messages are the library’s own'
    : undefined;
}

/** What the two libraries make of a value: the reference, and what happens where nothing is compiled. */
export function runLibrary(
  type: Function,
  value: unknown,
  options: CompileOptions,
): { instance: object; errors: ValidationError[] | Promise<ValidationError[]> } {
  const {
    transformOptions,
    ignoreAsync,
    generateCode: _,
    trustVersions: __,
    hardened: ___,
    ...rules
  } = options;
  const instance = plainToInstance(type as new () => object, value, transformOptions) as object;
  return { instance, errors: ignoreAsync ? validateSync(instance, rules) : validate(instance, rules) };
}
