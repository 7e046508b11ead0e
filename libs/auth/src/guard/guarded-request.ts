import type { IncomingHttpHeaders } from 'node:http';
import type { AuthRequest } from '../strategies/strategy';

/** The parts of Fastify's request that the guard reads, and the field it writes. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly rawHeaders: readonly string[] };
  readonly ip: string;
  /** The authenticated caller. */
  user?: unknown;
}

/** The request as a strategy sees it; `ip` is computed on access. */
export function viewOf(request: GuardedRequest): AuthRequest {
  return new RequestView(request);
}

class RequestView implements AuthRequest {
  constructor(private readonly request: GuardedRequest) {}

  get method(): string {
    return this.request.method;
  }

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
