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
export { FirstPass } from './compiled/first-pass';
export { type CompileOptions } from './compiled/settings';
export {
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  standardSchema,
} from './compiled/standard-schema';
export { type Answer, type FieldProblems, InvalidInputError, UncheckedInputError } from './errors';
export { inputFaults } from './findings/input-faults';
export { parameterFindings } from './findings/parameter-findings';
export type { RouteParameter } from './findings/route-parameter';
export { GroupedSchema, inGroups, type InputClass } from './groups';
export { invalidInput, type Problem } from './invalid-input';
export { parametersOf } from './nest/parameters';
export { refuseUncheckedInput } from './nest/refuse-unchecked-input';
export { Refused, ValidationPipe, type ValidationPipeOptions } from './nest/validation.pipe';
export { ById } from './rules/by-id';
export { decodeCursor, encodeCursor, IsCursor } from './rules/cursor';
export { readDigits } from './rules/digits';
export { IfGiven } from './rules/if-given';
export { IsMoment, readMoment } from './rules/moment';
export { NoLongerThan } from './rules/no-longer-than';
export { PaginationQuery } from './rules/pagination-query';
export { TrueOrFalse } from './rules/true-or-false';
export { WholeNumber } from './rules/whole-number';
export { type PageReply, turnPage, type TurnedPage } from './turn-page';
