import type { IncomingMessage } from 'node:http';

const bodyless = new Set(['GET', 'DELETE']);
const usualTypes = new Set(['application/json', 'application/json; charset=utf-8']);

/**
 * Returns whether the pipeline handles a request, based on its head: plain HTTP/1.1 without a body, or with JSON of a known
 * length. Fastify receives every other request and calls the same handler.
 */
export function hasUsualHead(
  { headers, httpVersion, method = '' }: IncomingMessage,
  maxBodyBytes: number,
): boolean {
  if (httpVersion !== '1.1' || headers.expect !== undefined || headers['transfer-encoding'] !== undefined)
    return false;
  if (headers.upgrade !== undefined) return false;
  const { 'content-length': length, 'content-type': type } = headers;
  if (length === undefined) return type === undefined || bodyless.has(method);
  if (bodyless.has(method) || type === undefined || !usualTypes.has(type)) return false;
  return headers['content-encoding'] === undefined && Number(length) > 0 && Number(length) <= maxBodyBytes;
}
