import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import { ownHook } from '../routes/own-hooks';

/** Segments of unreserved characters: with this prefix a path can become neither a host nor another header. */
const prefixForm = /^(?:\/[\w.~-]+)+$/;

/** Whether a text is a prefix of paths, such as `/api`. */
export function isPathPrefix(text: string): boolean {
  return prefixForm.test(text);
}

/** How paths of this program begin for its clients. */
export interface PathPrefix {
  /** That of the settings; empty for none. */
  readonly usual: string;
  /** Whether there are proxies whose `X-Forwarded-Prefix` replaces it. */
  readonly hasProxies: boolean;
  /** That of the plan, with which requests arrive and which follows the one of a proxy; default none. */
  readonly own?: string;
}

/**
 * Adds what a proxy or the program has removed from the beginning of paths to the paths in `Location`, in `Link`, and in the `type` of a
 * problem. Without a prefix and without proxies no hook is added.
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

/** The body of a problem with a prefix in its `type`. No other body begins like one, whose type is its first member. */
export function withPrefixedType(payload: string, prefix: string): string {
  if (prefix === '' || !payload.startsWith(`${typeStart}problems/`)) return payload;
  return `{"type":"${prefix}/${payload.slice(typeStart.length)}`;
}

/**
 * The prefix that a trusted proxy names by `X-Forwarded-Prefix`, if it names one. It is believed from trusted proxies only: of
 * others Fastify takes no address from `X-Forwarded-For` either.
 */
export function forwardedPrefix({ ips = [], headers }: FastifyRequest): string | undefined {
  const given = headers['x-forwarded-prefix'];
  return ips.length > 1 && typeof given === 'string' && isPathPrefix(given) ? given : undefined;
}

function prefixed(location: string, prefix: string): string {
  return location.startsWith('/') ? prefix + location : location;
}
