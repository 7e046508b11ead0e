import type { IncomingHttpHeaders } from 'node:http';
import { BROWSER_MAP, parse } from 'bowser';

/** The maximum length that is read from a header, because the device's name is at its beginning. */
const maxLength = 300;
const browsers = new Set<string>(Object.values(BROWSER_MAP));
/** The first word from a client other than a browser, such as `curl/8.5.0`. The pattern excludes text that could abuse a mail. */
const product = /^[a-z][a-z-]{0,29}/i;

/** A request's origin, as far as an account's owner can recognize it. */
export interface Client {
  /** The remote address. */
  readonly ip: string;
  /** The device's name according to its `User-Agent`; `undefined` if it is unknown. */
  readonly device?: string;
}

/** Returns a request's client. */
export function clientOf(ip: string, headers: IncomingHttpHeaders): Client {
  return { ip, device: deviceName(headers['user-agent']) };
}

/**
 * Names a request's device as its owner knows it: `Firefox on Windows`. The name omits versions, so that an update keeps the
 * name.
 *
 * @param userAgent the header, as sent
 * @returns `undefined` if the header is missing or names no device
 */
export function deviceName(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent === '') return undefined;
  const text = userAgent.slice(0, maxLength);
  const { browser, os } = parse(text);
  const program = browsers.has(browser.name ?? '') ? browser.name : product.exec(text)?.[0];
  const parts = [program, os.name].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join(' on ');
}
