import type { IncomingMessage } from 'node:http';
import { isPathPrefix } from '../responses/path-prefix';

/** The paths that load balancers and Prometheus call. They stay without the prefix. */
const unprefixed = /^\/(?:health|health\/live|health\/ready|metrics)(?=$|\?)/;

/** The path prefix that a program removes itself, as a proxy does. */
export class OwnPrefix {
  private readonly outside = new WeakSet<IncomingMessage>();

  /**
   * @param prefix the path prefix, such as `/api`, or an empty string
   * @throws TypeError if the text is not a path prefix
   */
  constructor(private readonly prefix: string) {
    if (prefix !== '' && !isPathPrefix(prefix))
      throw new TypeError(`prefix must be like '/api', and not ${JSON.stringify(prefix)}`);
  }

  /**
   * Removes the prefix from a request target in origin form. If a target lacks a required prefix, the request is outside.
   *
   * @returns the target without the prefix, or the same target if it begins differently
   */
  strip(request: IncomingMessage, target: string): string {
    const { prefix } = this;
    if (prefix === '') return target;
    const rest = target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
    if (rest?.startsWith('/')) return rest;
    if (rest === '' || rest?.startsWith('?')) return `/${rest}`;
    if (!unprefixed.test(target)) this.outside.add(request);
    return target;
  }

  /** Returns whether a request gets the reply for an unknown path, whatever routes exist. */
  isOutside(request: IncomingMessage): boolean {
    return this.prefix !== '' && this.outside.has(request);
  }
}
