export { validValues, invalidObjects } from './generate';
export { type Exchange, assertDescribed } from './assert-described';
export { sentNames } from './sent-names';
export { schemaChecker } from './schema-checker';
