export { allowed, refusedObjects } from './generate';
export { type Exchange, holdToDescription } from './hold-to-description';
export { schemaChecker } from './schema-checker';
