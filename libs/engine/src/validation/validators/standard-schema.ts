import { andThen } from '../../shapes/values';
import type { ValidationError } from 'class-validator';
import { compileValidator } from './compile-validator';
import type { Checked, InputType } from './compiled-validator';
import type { CompileOptions } from '../plan/settings';

/** A problem in the Standard Schema format. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly string[];
}

/** The result of a schema: the instance, or problems. */
export type StandardResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A class as a schema, for any Standard Schema consumer. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'sluice';
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
    readonly types?: { readonly input: unknown; readonly output: T };
  };
}

/**
 * Creates a Standard Schema from a class, with the same rules and the same messages, each with its path.
 *
 * @see https://standardschema.dev, version 1
 */
export function standardSchema<T extends object>(
  type: InputType<T>,
  options?: CompileOptions,
): StandardSchema<T> {
  const validator = compileValidator(type, options);
  const validate = (value: unknown) => andThen(validator.check(value), resultOf<T>);
  return { '~standard': { version: 1, vendor: 'sluice', validate } };
}

function resultOf<T>(result: Checked<T>): StandardResult<T> {
  return 'errors' in result ? { issues: result.errors.flatMap((error) => issuesOf(error, [])) } : result;
}

/** Lists a property's own problems before the problems in its parts. */
function issuesOf(
  { property, constraints = {}, children = [] }: ValidationError,
  above: readonly string[],
): StandardIssue[] {
  const path = property === undefined ? above : [...above, property];
  const own = Object.values(constraints).map((message) => ({ message, path }));
  return [...own, ...(children ?? []).flatMap((child) => issuesOf(child, path))];
}
