import { type Rate } from '@app/settings';
import { declaredRate } from '@app/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitedError } from './errors';
import { accountOf } from './caller-of';
import { RateWindow } from './rate-window';

/** Counts a request of an account or address, and sets the header fields of its response. */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => void;

/** The name of the policy of `RATE_LIMIT`, which all routes without one of their own share. */
const defaultPolicy = 'default';

/** The rate limits of a program: that of its settings, and those of its routes. */
export class RateLimits {
  private readonly byPolicy = new Map<string, RateWindow>();

  /** @param now milliseconds since 1970 */
  constructor(
    private readonly usual: Rate | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Those that apply to some route. */
  get windows(): readonly RateWindow[] {
    return [...this.byPolicy.values()];
  }

  /**
   * What counts the requests of a route.
   *
   * @param route such as `GET /users/:id`
   * @returns `undefined` for a route without a limit
   */
  admissionOf(handler: object, controller: object, route: string): Admission | undefined {
    const own = declaredRate(handler, controller);
    const rate = own ?? this.usual;
    if (rate === undefined || rate === 'off') return undefined;
    const window = this.windowOf(own === undefined ? defaultPolicy : route, rate);
    const header = `"${window.policy}";q=${rate.limit};w=${rate.windowSeconds}`;
    return (request, reply) => admit(window, header, request, reply);
  }

  private windowOf(policy: string, rate: Rate): RateWindow {
    const window = this.byPolicy.get(policy) ?? new RateWindow(policy, rate, this.now);
    this.byPolicy.set(policy, window);
    return window;
  }
}

/**
 * @throws RateLimitedError
 * @see draft-ietf-httpapi-ratelimit-headers-10
 */
function admit(window: RateWindow, policy: string, request: FastifyRequest, reply: FastifyReply): void {
  const left = window.take(accountOf(request));
  const seconds = window.secondsLeft();
  void reply.header('RateLimit-Policy', policy);
  void reply.header('RateLimit', `"${window.policy}";r=${Math.max(0, left)};t=${seconds}`);
  if (left < 0) throw new RateLimitedError(seconds);
}
