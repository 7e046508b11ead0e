import type { IncomingHttpHeaders } from 'node:http';
import type { AuthRequest } from '../strategies/strategy';

/** The part of Fastify's request that the guard reads, and the one field it writes. */
export interface GuardedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly rawHeaders: readonly string[] };
  readonly ip: string;
  /** The caller, once the guard has let them in. */
  user?: unknown;
}

/** Shows a strategy the request, and works out the address only for one that asks. */
export function viewOf(request: GuardedRequest): AuthRequest {
  return new RequestView(request);
}

class RequestView implements AuthRequest {
  constructor(private readonly request: GuardedRequest) {}

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.request.raw.rawHeaders;
  }

  get ip(): string {
    return this.request.ip;
  }
}
