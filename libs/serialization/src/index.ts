export type { WireClass } from './declared-rules';
export { OpenWireClassError } from './errors';
export { mask, Masked } from './masked';
export { Answers, answersOf, type RouteAnswer } from './nest/answers';
export { bindSerialization } from './nest/bind-serialization';
export { Page, type PageOf } from './page';
