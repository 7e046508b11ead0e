export { assemble, type Assembled, canAssemble } from './code/assemble';
export { Code, code, joined, member } from './code/code';
export { Scope } from './code/scope';
