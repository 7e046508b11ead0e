export { type AnswerFault, answerFaults, type AnswerFinding } from './answer-faults';
export type { WireClass } from './declared-rules';
export { type AnswerWriter, answerWriter } from './compiled/answer-writer';
export { compileSerializer, type Serializer } from './compiled/compile-serializer';
export { compiledTransformer, instanceToPlain } from './compiled/drop-in';
export {
  OpenWireClassError,
  UnboundSerializationError,
  UndeclaredAnswerError,
  UndeclaredAnswersError,
  UndeclaredPartError,
} from './errors';
export type { StrippedFields, StrippedFieldSettings } from './stripped-fields';
export { mask, Masked } from './masked';
export { answerFindings, type AnswerTerms } from './nest/answer-findings';
export { Answers, type FreeAnswer, type RouteAnswer } from './nest/answers';
export { bindSerialization, type BindingSettings } from './nest/bind-serialization';
export {
  answersLeftToLibrary,
  strippedFields,
  type LeftToLibrary,
  assertBoundSerialization,
} from './nest/binding';
export { answersOf, type DeclaredAnswer, declaredAnswer } from './nest/declared-answer';
