import type { IncomingHttpHeaders } from 'node:http';
import { BROWSER_MAP, parse } from 'bowser';

/** Of a header; what names the device is in its beginning. */
const maxLength = 300;
const browsers = new Set<string>(Object.values(BROWSER_MAP));
/** The first word of a client that is no browser, such as `curl/8.5.0`: no text that a mail could be abused for. */
const product = /^[a-z][a-z-]{0,29}/i;

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

/**
 * Names the device of a request as its owner knows it: `Firefox on Windows`. Without versions, so that an update is no other device.
 *
 * @param userAgent the header, as sent
 * @returns `undefined` for a header without one
 */
export function deviceName(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent === '') return undefined;
  const text = userAgent.slice(0, maxLength);
  const { browser, os } = parse(text);
  const program = browsers.has(browser.name ?? '') ? browser.name : product.exec(text)?.[0];
  const parts = [program, os.name].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join(' on ');
}
