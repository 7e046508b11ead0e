import { compileSerializer } from '../serialization/run/compile-serializer';
import type { CompileOptions } from '../validation/plan/settings';
import { compileValidator } from '../validation/validators/compile-validator';
import type { InputType } from '../validation/validators/compiled-validator';
import type { Explanation } from '../validation/validators/explain';

/** Explains which parts of a class are compiled for each direction, and why the rest is not. */
export interface ClassExplanation {
  /** The input direction: `plainToInstance` and `validate`. */
  readonly input: Explanation;
  /** The output direction: `instanceToPlain`. */
  readonly output: ReturnType<ReturnType<typeof compileSerializer>['explain']>;
}

/**
 * Describes how a class and its nested classes are compiled, which parts fall back to the libraries, and why.
 *
 * @param options the options passed to the pipe or the functions, because they decide which parts are compiled
 */
export function explain<T extends object>(
  type: InputType<T>,
  options: CompileOptions = {},
): ClassExplanation {
  return {
    input: compileValidator(type, options).explain(),
    output: compileSerializer(type, options.transformOptions).explain(),
  };
}
