import type { IncomingHttpHeaders } from 'node:http';

/** Where a sign-in comes from. */
export interface SignInOrigin {
  /** Remote address. */
  readonly ip: string;
  /** Of the request, as sent; absent if it is none. */
  readonly headers?: IncomingHttpHeaders;
}
