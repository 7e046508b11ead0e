export type { WireClass } from './declared-rules';
export { type AnswerWriter, answerWriter } from './compiled/answer-writer';
export { compileSerializer, type Serializer } from './compiled/compile-serializer';
export { compiledTransformer, instanceToPlain } from './compiled/drop-in';
export { OpenWireClassError } from './errors';
export { mask, Masked } from './masked';
export { Answers, answersOf, type RouteAnswer } from './nest/answers';
export { bindSerialization } from './nest/bind-serialization';
export { Page, pagedClass, type PageOf } from './page';
