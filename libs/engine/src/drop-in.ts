// What is not listed below is the libraries' own, whatever their versions export: decorators, predicates, types.
export * from 'class-transformer';
export * from 'class-validator';
export { compileSerializer } from './serialization/run/compile-serializer';
export type { CompileOptions } from './validation/plan/settings';
export { compileValidator } from './validation/validators/compile-validator';
export type {
  Checked,
  CompiledValidator,
  InputType,
  PlainValidator,
} from './validation/validators/compiled-validator';
export type { Explanation, RuleNote } from './validation/validators/explain';
export {
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  standardSchema,
} from './validation/validators/standard-schema';
export { type ClassExplanation, explain } from './functions/explain';
export { classToPlain, instanceToPlain, serialize } from './functions/instance-to-plain';
export { deserialize, deserializeArray, plainToClass, plainToInstance } from './functions/plain-to-instance';
export {
  ClassTransformer,
  TransformInstanceToPlain,
  TransformPlainToInstance,
  transformerPackage,
} from './functions/transformer';
export {
  validate,
  validateOrReject,
  Validator,
  validatorPackage,
  validateSync,
} from './functions/validation-functions';
