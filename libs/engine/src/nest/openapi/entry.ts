export { correctDocument } from './correct-document';
export type { SwaggerDocument } from './document';
