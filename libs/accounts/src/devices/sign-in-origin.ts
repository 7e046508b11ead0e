import type { IncomingHttpHeaders } from 'node:http';
import { deviceName } from './device-name';

/** Where a sign-in comes from. */
export interface SignInOrigin {
  /** Remote address. */
  readonly ip: string;
  /** Of the request, as sent; absent if it is none. */
  readonly headers?: IncomingHttpHeaders;
}

/** Where a sign-in comes from, as far as its owner could recognise it. */
export interface SignInPlace {
  /** Remote address. */
  readonly ip: string;
  /** `undefined` if it is not known. */
  readonly device: string | undefined;
}

/** The name of the device, from the request; `undefined` without one. */
export function deviceOf({ headers }: SignInOrigin): string | undefined {
  return deviceName(headers?.['user-agent']);
}
