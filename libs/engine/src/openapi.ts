export { correctDocument } from './openapi/correct-document.discovery';
export type { SwaggerDocument } from './openapi/document';
