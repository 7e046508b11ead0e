export {
  type Checked,
  type CompiledValidator,
  compileValidator,
  type InputType,
} from './compiled/compile-validator';
export {
  plainToInstance,
  transformerPackage,
  validate,
  validateOrReject,
  validatorPackage,
  validateSync,
} from './compiled/drop-in';
export { type Explanation, type RuleNote } from './compiled/explain';
export { FirstPass, type FirstPassOptions } from './compiled/first-pass';
export { type CompileOptions } from './compiled/settings';
export {
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  standardSchema,
} from './compiled/standard-schema';
export { type Answer, type FieldProblems, InvalidInputError, UnseenParameterError } from './errors';
export { GroupedSchema, inGroups, type InputClass, type SchemaIssue, type SchemaResult } from './groups';
export { invalidInput, type Problem } from './invalid-input';
export { refuseUnseenParameters } from './nest/unseen-parameters';
export { ValidationPipe, type ValidationPipeOptions } from './nest/validation.pipe';
export { ById } from './rules/by-id';
export { decodeCursor, encodeCursor, IsCursor } from './rules/cursor';
export { readDigits } from './rules/digits';
export { IfGiven } from './rules/if-given';
export { IsMoment, readMoment } from './rules/moment';
export { NoLongerThan } from './rules/no-longer-than';
export { PaginationQuery } from './rules/pagination-query';
export { WholeNumber } from './rules/whole-number';
