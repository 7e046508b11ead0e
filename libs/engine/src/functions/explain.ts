import { compileSerializer } from '../serialization/run/compile-serializer';
import type { CompileOptions } from '../validation/plan/settings';
import { compileValidator } from '../validation/validators/compile-validator';
import type { InputType } from '../validation/validators/compiled-validator';
import type { Explanation } from '../validation/validators/explain';

/** What is compiled of a class, in both directions, and why the rest is not. */
export interface ClassExplanation {
  /** As an input: `plainToInstance` and `validate`. */
  readonly input: Explanation;
  /** As an output: `instanceToPlain`. */
  readonly output: ReturnType<ReturnType<typeof compileSerializer>['explain']>;
}

/**
 * Describes what is compiled of a class and of the classes of its parts, what falls back to the libraries, and why.
 *
 * @param options of the pipe or of the functions: what is compiled depends on them
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
