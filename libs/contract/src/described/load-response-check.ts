import type { OpenApiDocument } from '../openapi/document';
import type { Exchange } from './assert-described';

/**
 * Returns a function that throws an Error for a response that does not match a document. The schema library is loaded here,
 * because most programs check no response.
 */
export async function loadResponseCheck(): Promise<
  (document: OpenApiDocument) => (exchange: Exchange) => void
> {
  const { assertDescribed } = await import('./assert-described.js');
  return assertDescribed;
}
