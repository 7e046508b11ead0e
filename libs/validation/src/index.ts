export { compileValidator } from './validators/compile-validator';
export type { Checked, CompiledValidator, InputType } from './validators/compiled-validator';
export { plainToInstance, validate, validateOrReject, validateSync } from './validators/drop-in';
export { type Explanation, type RuleNote } from './validators/explain';
export { type CompileOptions } from './plan/settings';
export {
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  standardSchema,
} from './validators/standard-schema';
export { InvalidInputError, UncheckedInputError } from './errors';
export { areLibrariesKnown } from './fallback/known-libraries';
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
} from './problems/input-problems';
export { GroupedSchema, inGroups, type InputClass } from './validators/groups';
export { invalidInput } from './problems/invalid-input';
export { parametersOf } from './pipe/parameters.discovery';
export { assertCheckedInput } from './pipe/checked-input.discovery';
export { Rejected, ValidationPipe, type ValidationPipeOptions } from './pipe/validation.pipe';
export type { BuiltInRule } from './rules/built-in/rule';
export { builtInRule, ruleOfKey } from './rules/built-in/rules';
export { ById } from './rules/by-id';
export { IsCalendarDate } from './rules/calendar-date';
export { readDigits } from './rules/digits';
export { IfGiven } from './rules/if-given';
export { IsJsonObject, type JsonLimits } from './rules/json-object';
export { IsMoment, readMoment } from './rules/moment';
export { NoControlCharacters } from './rules/no-control-characters';
export { NoLongerThan } from './rules/no-longer-than';
export { NoMoreThan } from './rules/no-more-than';
export { RowId } from './rules/row-id';
export { TrueOrFalse } from './rules/true-or-false';
export { WholeNumber } from './rules/whole-number';
