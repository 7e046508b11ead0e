import type { RouteDescription } from '../route-description';
import type { SenderSignature } from '../sender-signature';
import type { Part } from './part';

/** The header fields of signatures, retries and preconditions that a client may send. */
export function conditionalRequestHeaders({
  method,
  isIdempotent,
  hasEntityTag,
  ifMatch,
  signature,
}: RouteDescription): Part[] {
  return [
    ...(signature ? [signatureField(signature)] : []),
    ...(isIdempotent ? [idempotencyKey] : []),
    ...(hasEntityTag && method === 'GET' ? [ifNoneMatch] : []),
    ...(ifMatch ? [{ ...ifMatchField, required: ifMatch === 'required' }, ifNoneMatchOfChange] : []),
  ];
}

/** The header fields of retries and preconditions in a success. */
export function conditionalResponseHeaders({
  isIdempotent,
  signature,
  hasEntityTag,
}: RouteDescription): Part {
  return { ...((isIdempotent || signature) && replayed), ...(hasEntityTag && entityTag) };
}

/** The response to a client that has the representation already. */
export function notModifiedResponse({ method, hasEntityTag, response }: RouteDescription): Part {
  const description = 'The response is unchanged since the `ETag` in `If-None-Match`.';
  const headers = { ...entityTag, ...(response?.shape === 'page' && pageHeaders) };
  return hasEntityTag && method === 'GET' ? { 304: { description, headers } } : {};
}

/** The header field of a page. */
export const pageHeaders = {
  Link: {
    description: 'The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288).',
    schema: { type: 'string' },
  },
};

const entityTag = {
  ETag: { description: 'The entity tag, which changes with the response.', schema: { type: 'string' } },
};

const replayed = {
  'Idempotent-Replayed': {
    description: 'Sent with the response to an earlier request with the same key or event id.',
    schema: { const: 'true' },
  },
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` from an earlier response. An unchanged response is a 304 with an empty body.',
  schema: { type: 'string' },
};

const ifNoneMatchOfChange = {
  ...ifNoneMatch,
  description: 'The response is a 412 if the resource has a listed `ETag`, or any `ETag` (`*`).',
};

const ifMatchField = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` that you have read. The response is a 412 if the resource was changed since.',
  schema: { type: 'string' },
};

function signatureField({ scheme, header }: SenderSignature): Part {
  const description = `The signature of the body by the scheme \`${scheme}\`.`;
  return { name: header, in: 'header', required: true, description, schema: { type: 'string' } };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A value that you choose, such as a UUID. A retry with the same key and body gets the same response for 24 hours.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};
