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
export type { InputSource } from './nest/pipe/input-source';
export { Rejected, ValidationPipe, type ValidationPipeOptions } from './nest/pipe/validation.pipe';
export {
  OpenWireClassError,
  UnboundSerializationError,
  UndeclaredPartError,
  UndeclaredResponseError,
  UndeclaredResponsesError,
} from './serialization/errors';
export { responseFaults, type ResponseFinding } from './serialization/findings/response-faults';
export { unknownGroups } from './serialization/findings/unknown-groups';
export { wireClassFindings } from './serialization/findings/wire-classes';
export { mask, Masked } from './serialization/masked';
export type { WireClass } from './serialization/plan/wire-class';
export { boundedLists } from './serialization/run/bounded-lists';
export { closedWriter, type ClosedWriter } from './serialization/run/closed-writer';
export { compileSerializer } from './serialization/run/compile-serializer';
export type { ResponseExplanation, ResponseWriter } from './serialization/run/response-writer';
export { onlyText, undeclaredWriter, type Writer, writerOf } from './serialization/run/writer';
export { assemble, type Assembled, canAssemble } from './shapes/code/assemble';
export { Code, code, functionOf, joined, member } from './shapes/code/code';
export { Scope } from './shapes/code/scope';
export type { Finding, FindingPlace } from './shapes/finding';
export { prepareInheritedMembers } from './shapes/inherited-members';
export { copyList, isSame } from './shapes/lists';
export { reportNotCompiled, whyNoRules, whyNoTransforms } from './shapes/not-compiled';
export { instantiatesUnknownClasses } from './shapes/rules/container';
export { isGiven, type OwnRule, ownRule } from './shapes/rules/own-rule';
export { installedValidator, type ValidatorDialect, validatorDialect } from './shapes/rules/reference';
export {
  type MessageSource,
  type PropertyRules,
  readRules,
  type RuleChoice,
  type RuleShape,
  type ValueRule,
} from './shapes/rules/rule-shape';
export { rulesGeneration } from './shapes/rules/storage';
export {
  ancestry,
  exposedProperties,
  hasTransforms,
  isClosed,
  propertyOf,
  typedProperties,
  typeOf,
} from './shapes/transforms/declared-rules';
export { type FullOptions, fullOptions } from './shapes/transforms/full-options';
export { Executor } from './shapes/transforms/imported-library';
export { ownReading, type Reading, readingOf } from './shapes/transforms/own-reading';
export { installedVersion, isKnownVersion } from './shapes/transforms/reference';
export { copyOptions, decideTheSame } from './shapes/transforms/same-options';
export {
  type Choice,
  type KeySelection,
  selectKeys,
  selectTransforms,
  wireName,
} from './shapes/transforms/selection';
export {
  type DeclaredType,
  type Direction,
  type Discriminator,
  transformsGeneration,
} from './shapes/transforms/storage';
export { type TransformUse, useOfTransform } from './shapes/transforms/transform-arguments';
export {
  type ExposeRule,
  readTransforms,
  type Strategy,
  type TransformRule,
  type TransformShape,
  type TypeRule,
} from './shapes/transforms/transform-shape';
export { isObject, isThenable } from './shapes/values';
export {
  type JsonSchema,
  looksAtValueOnly,
  meaningOf,
  meaningOfTransform,
  type RuleMeaning,
  RuleSchema,
  transformMeaning,
  withMeaning,
} from './shapes/wire/meaning';
export { builtInRule, ruleOfKey } from './validation/built-in-rules/facts';
export type { BuiltInRule } from './validation/built-in-rules/rule';
export { classOfProperty } from './validation/hardening/declared-types';
export type { CompileOptions } from './validation/plan/settings';
export { compileValidator } from './validation/validators/compile-validator';
export type { Checked, CompiledValidator, InputType } from './validation/validators/compiled-validator';
export type { Explanation, RuleNote } from './validation/validators/explain';
export { GroupedSchema, inGroups, type InputClass } from './validation/validators/groups';
export {
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  standardSchema,
} from './validation/validators/standard-schema';
