export { validValues, invalidObjects } from './generate';
export { type Exchange, assertDescribed } from './assert-described';
export { neverCalled } from './never-called';
export { sentNames } from './sent-names';
export { schemaChecker } from './schema-checker';
