import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import { ownHook } from '../routes/own-hooks';

/** Segments with unreserved characters, which can turn a path into neither a host nor a second header. */
const prefixForm = /^(?:\/[\w.~-]+)+$/;

/** Returns whether a text is a path prefix, such as `/api`. */
export function isPathPrefix(text: string): boolean {
  return prefixForm.test(text);
}

/** The beginning of this program's paths for its clients. */
export interface PathPrefix {
  /** The prefix from the settings; may be empty. */
  readonly usual: string;
  /** Whether a trusted proxy may replace the prefix by `X-Forwarded-Prefix`. */
  readonly hasProxies: boolean;
  /** The prefix from the plan, which arriving requests contain. It follows the prefix that a proxy names; default empty. */
  readonly own?: string;
}

/**
 * Restores the prefix that a proxy or the program has removed from paths: in `Location`, in `Link`, and in the `type` of a
 * problem. The hook is only added if there is a prefix or a proxy.
 */
export function addPathPrefix(server: FastifyInstance, { usual, hasProxies, own = '' }: PathPrefix): void {
  if (usual === '' && !hasProxies) return;
  const addPrefix: onSendHookHandler = (request, reply, payload, done) => {
    const forwarded = hasProxies ? forwardedPrefix(request) : undefined;
    const prefix = forwarded === undefined ? usual : forwarded + own;
    const { location, link } = reply.getHeaders();
    if (prefix !== '' && typeof location === 'string')
      void reply.header('Location', prefixed(location, prefix));
    if (prefix !== '' && typeof link === 'string')
      void reply.header('Link', link.replaceAll(/<(\/[^>]*)>/g, `<${prefix}$1>`));
    done(null, typeof payload === 'string' ? withPrefixedType(payload, prefix) : payload);
  };
  server.addHook('onSend', ownHook(addPrefix));
}

const typeStart = '{"type":"/';

/** Adds a prefix to the `type` of a problem body. Only problem bodies begin with `type`, because it is their first member. */
export function withPrefixedType(payload: string, prefix: string): string {
  if (prefix === '' || !payload.startsWith(`${typeStart}problems/`)) return payload;
  return `{"type":"${prefix}/${payload.slice(typeStart.length)}`;
}

/**
 * Returns the prefix that a trusted proxy names by `X-Forwarded-Prefix`, if there is a prefix. Only trusted proxies are
 * believed, as Fastify does for addresses in `X-Forwarded-For`.
 */
export function forwardedPrefix({ ips = [], headers }: FastifyRequest): string | undefined {
  const prefix = headers['x-forwarded-prefix'];
  return ips.length > 1 && typeof prefix === 'string' && isPathPrefix(prefix) ? prefix : undefined;
}

function prefixed(location: string, prefix: string): string {
  return location.startsWith('/') ? prefix + location : location;
}
