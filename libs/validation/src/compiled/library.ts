import { installedVersion, isKnownVersion, servesStrangers, validatorDialect } from '@app/shapes';
import { plainToInstance } from 'class-transformer';
import { validate, validateSync, type ValidationError } from 'class-validator';
import type { CompileOptions } from './settings';

/**
 * Says why nothing can be compiled, if so.
 *
 * @returns a sentence for `explain()`, or `undefined`
 */
export function whyLibrary(options: CompileOptions): string | undefined {
  if (!servesStrangers()) return 'the container gives no instances of the library’s own validators';
  if (validatorDialect()?.versions !== '0.15') return 'this class-validator answers as none that was tested';
  if (!isKnownVersion(installedVersion()))
    return 'this class-transformer answers as none that was tested, or the program holds it twice';
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
  const { transformOptions, ignoreAsync, generateCode: _, hardened: __, ...rules } = options;
  const instance = plainToInstance(type as new () => object, value, transformOptions) as object;
  return { instance, errors: ignoreAsync ? validateSync(instance, rules) : validate(instance, rules) };
}
