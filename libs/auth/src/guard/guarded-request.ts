import type { IncomingHttpHeaders } from 'node:http';
import type { GuardedRequest } from '../routes/request-of';
import type { AuthRequest } from '../strategies/strategy';

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
