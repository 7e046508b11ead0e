import type { IncomingMessage } from 'node:http';
import { isPathPrefix } from '../responses/path-prefix';

/** What load balancers and Prometheus call: it stays where it is. */
const unprefixed = /^\/(?:health|health\/live|health\/ready|metrics)(?=$|\?)/;

/** The prefix of the paths of a program, which it removes itself, as a proxy does. */
export class OwnPrefix {
  private readonly outside = new WeakSet<IncomingMessage>();

  /**
   * @param prefix such as `/api`; empty for none
   * @throws TypeError if it is not a prefix of paths
   */
  constructor(private readonly prefix: string) {
    if (prefix !== '' && !isPathPrefix(prefix))
      throw new TypeError(`prefix must be like '/api', and not ${JSON.stringify(prefix)}`);
  }

  /**
   * Removes it from the beginning of a request target in origin form.
   *
   * @returns the same target for one that does not begin with it, which is then outside unless it has no prefix
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

  /** Whether a request has to be answered as one for an unknown path, whatever routes there are. */
  isOutside(request: IncomingMessage): boolean {
    return this.prefix !== '' && this.outside.has(request);
  }
}
