export { compileValidator } from './compile-validator';
export type { Checked, CompiledValidator, InputType } from './compiled-validator';
export { plainToInstance, validate, validateOrReject, validateSync } from './drop-in';
export { type Explanation, type RuleNote } from './explain';
export { type CompileOptions } from './plan/settings';
export {
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  standardSchema,
} from './standard-schema';
export { InvalidInputError, UncheckedInputError } from './errors';
export { areLibrariesKnown } from './known-libraries';
export { inputFaults } from './findings/input-faults';
export { parameterFindings } from './findings/parameter-findings';
export type { RouteParameter } from './findings/route-parameter';
export {
  fixedCodes,
  type InputSource,
  type Problem,
  type RuleCode,
  ruleCodes,
  unknownField,
} from './input-problems';
export { GroupedSchema, inGroups, type InputClass } from './groups';
export { invalidInput } from './invalid-input';
export { parametersOf } from './nest/parameters';
export { assertCheckedInput } from './nest/assert-checked-input';
export { Rejected, ValidationPipe, type ValidationPipeOptions } from './nest/validation.pipe';
export { ById } from './rules/by-id';
export { IsCalendarDate } from './rules/calendar-date';
export { readDigits } from './rules/digits';
export { IfGiven } from './rules/if-given';
export { IsJsonObject, type JsonLimits } from './rules/json-object';
export { IsMoment, readMoment } from './rules/moment';
export { NoLongerThan } from './rules/no-longer-than';
export { NoMoreThan } from './rules/no-more-than';
export { RowId } from './rules/row-id';
export { TrueOrFalse } from './rules/true-or-false';
export { WholeNumber } from './rules/whole-number';
