export { validValues, invalidObjects } from './generate';
export { type Exchange, assertDescribed } from '../src/described/assert-described';
export { neverCalled } from './never-called';
export { sentNames } from './sent-names';
export { schemaChecker } from '../src/described/schema-checker';
