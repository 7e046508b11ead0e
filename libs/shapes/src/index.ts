export { assemble, type Assembled, canAssemble } from './code/assemble';
export { Code, code, joined, member } from './code/code';
export { Scope } from './code/scope';
export { installedValidator, isKnownValidator } from './rules/reference';
export {
  type LeafRule,
  type PropertyRules,
  readRules,
  type RuleChoice,
  type RuleShape,
} from './rules/rule-shape';
export { rulesGeneration } from './rules/storage';
