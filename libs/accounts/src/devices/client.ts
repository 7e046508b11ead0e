import type { IncomingHttpHeaders } from 'node:http';
import { deviceName } from './device-name';

/** Where a request comes from, as far as the owner of an account could recognise it. */
export interface Client {
  /** The remote address. */
  readonly ip: string;
  /** The name of the device, by its `User-Agent`; `undefined` if it is not known. */
  readonly device?: string;
}

/** Returns the client of a request. */
export function clientOf(ip: string, headers: IncomingHttpHeaders): Client {
  return { ip, device: deviceName(headers['user-agent']) };
}
