import type { IncomingMessage } from 'node:http';
import { withoutPorts } from './forwarded-for';
import {
  BrokenTargetError,
  ForbiddenKeyError,
  HostHeaderError,
  RepeatedHeaderError,
  TransferCodingError,
} from './errors';
import { isForbiddenKey } from './body/unsafe-json';

/** The request parts that are checked before it is routed. */
export interface RequestHead {
  /** The request target, undecoded. */
  readonly url?: string;
  readonly httpVersion: string;
  /** The alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
}

/** The pattern `uri-host [ ":" port ]`. It does not distinguish names from addresses, and matches an empty value. */
const hostValue = /^[\w\-.~%!$&'()*+,;=:[\]]*$/;

/**
 * Checks a request's head like {@link inspectRequest}, and removes the ports from `X-Forwarded-For`.
 *
 * @throws the errors that {@link inspectRequest} throws
 */
export function checkHead(request: RequestHead & Pick<IncomingMessage, 'headers'>): void {
  inspectRequest(request);
  const forwardedFor = request.headers['x-forwarded-for'];
  if (typeof forwardedFor === 'string') request.headers['x-forwarded-for'] = withoutPorts(forwardedFor);
}

/**
 * Rejects requests that Node accepts but that proxies or Sluice's router may interpret differently.
 *
 * @throws HostHeaderError, RepeatedHeaderError, TransferCodingError, BrokenTargetError, ForbiddenKeyError
 */
export function inspectRequest(head: RequestHead): void {
  inspectHeaders(head);
  inspectTarget(head.url ?? '/');
}

function inspectHeaders({ rawHeaders, httpVersion }: RequestHead): void {
  let hosts = 0;
  let types = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      inspectHost(rawHeaders[at + 1]);
    } else if (name.length === 12 && name.toLowerCase() === 'content-type') types++;
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (rawHeaders[at + 1].trim().toLowerCase() !== 'chunked') throw new TransferCodingError();
    }
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) throw new HostHeaderError();
  if (types > 1) throw new RepeatedHeaderError('Content-Type');
}

/** The last accepted value, because nearly all requests have the same host. */
let acceptedHost = '';

function inspectHost(value: string): void {
  if (value === acceptedHost) return;
  if (!hostValue.test(value)) throw new HostHeaderError();
  acceptedHost = value;
}

/** Checks the query string and the characters of a target. The router decodes the path and rejects invalid percent-encoding. */
function inspectTarget(url: string): void {
  const start = url.search(/[?#]/);
  if (url.includes('%00'))
    throw new BrokenTargetError(start !== -1 && url.indexOf('%00') > start ? 'query string' : 'path');
  if (start !== -1) inspectQuery(url.slice(start + 1));
}

function inspectQuery(query: string): void {
  const text = query.includes('%') ? decode(query) : query;
  if (!/__proto__|constructor|prototype/.test(text)) return;
  for (const pair of query.split('&')) {
    const name = decode(pair.split('=', 1)[0]);
    if (isForbiddenKey(name)) throw new ForbiddenKeyError([name], 'query');
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BrokenTargetError('query string');
  }
}
