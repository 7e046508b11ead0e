export { assemble, type Assembled, canAssemble } from './code/assemble';
export { Code, code, functionOf, joined, member } from './code/code';
export { Scope } from './code/scope';
export type { Finding, FindingPlace } from './finding';
export { prepareInheritedMembers } from './inherited-members';
export { reportNotCompiled, whyNoRules, whyNoTransforms } from './not-compiled';
export { instantiatesUnknownClasses } from './rules/container';
export { isGiven, type OwnRule, ownRule } from './rules/own-rule';
export { installedValidator, type ValidatorDialect, validatorDialect } from './rules/reference';
export {
  type ValueRule,
  type PropertyRules,
  readRules,
  type RuleChoice,
  type RuleShape,
  type MessageSource,
} from './rules/rule-shape';
export { rulesGeneration } from './rules/storage';
export { copyList, isSame } from './lists';
export { isObject, isThenable } from './values';
export {
  ancestry,
  exposedProperties,
  hasTransforms,
  isClosed,
  propertyOf,
  typedProperties,
  typeOf,
} from './transforms/declared-rules';
export { ownReading, type Reading, readingOf } from './transforms/own-reading';
export { type FullOptions, fullOptions } from './transforms/full-options';
export { copyOptions, decideTheSame } from './transforms/same-options';
export { Executor } from './transforms/imported-library';
export { installedVersion, isKnownVersion } from './transforms/reference';
export {
  type Choice,
  type KeySelection,
  selectKeys,
  selectTransforms,
  wireName,
} from './transforms/selection';
export {
  type DeclaredType,
  type Direction,
  type Discriminator,
  transformsGeneration,
} from './transforms/storage';
export { type TransformUse, useOfTransform } from './transforms/transform-arguments';
export {
  type ExposeRule,
  readTransforms,
  type Strategy,
  type TransformRule,
  type TransformShape,
  type TypeRule,
} from './transforms/transform-shape';
export {
  type JsonSchema,
  looksAtValueOnly,
  meaningOf,
  meaningOfTransform,
  type RuleMeaning,
  RuleSchema,
  transformMeaning,
  withMeaning,
} from './wire/meaning';
export { type PropertySchema, Schema, schemaOf } from './wire/schema';
