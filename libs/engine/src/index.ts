// What is not listed below is the libraries' own, whatever their versions export: decorators, predicates, types.
export * from 'class-transformer';
export * from 'class-validator';
export { compileSerializer } from '@app/serialization';
export {
  type Checked,
  type CompiledValidator,
  type CompileOptions,
  compileValidator,
  type Explanation,
  type InputType,
  type RuleNote,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  standardSchema,
} from '@app/validation';
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
