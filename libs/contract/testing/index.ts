export { validValues, invalidObjects } from './generate';
export { type Exchange, assertDescribed } from './assert-described';
export { schemaChecker } from './schema-checker';
