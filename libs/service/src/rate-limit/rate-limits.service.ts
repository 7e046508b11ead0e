import { declaredRate } from '@app/contract';
import { Repeat, StoreUnavailableError, systemTiming, type Timing } from '@app/persistence';
import type { Rate } from '@app/settings';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from './admission';
import { accountOf } from './caller-of';
import { RateLimitedError } from './errors';
import type { RateCounts } from './rate-counts';
import { RateWindow } from './rate-window';

/** The {@link RateLimits} dependencies. */
export interface RateLimitsPorts {
  /** Opens the counts of all programs at the start. If it returns nothing, each program counts alone. */
  readonly openCounts: () => RateCounts | undefined;
  readonly timing: Timing;
  /** Receives unexpected errors. An unavailable store is logged elsewhere. */
  readonly report: (error: unknown) => void;
}

/** The policy name for `RATE_LIMIT`, which all routes share unless they have their own policy. */
const defaultPolicy = 'default';
/** The interval at which programs exchange counts. */
const everyMs = 1000;
/** The interval at which counts of past windows are deleted, and the rows per deletion. */
const deletion = { everyMs: 60_000, rows: 500 };

/**
 * The rate limits that a program applies: `RATE_LIMIT`, and the limits of its routes. A request is counted in memory. Every
 * second the program adds its counts to the shared counts, and learns the totals.
 */
export class RateLimits implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly windows = new Map<string, RateWindow>();
  private readonly ports: RateLimitsPorts;
  private readonly repeat: Repeat;
  private counts: RateCounts | undefined;
  private deletedAtMs = 0;

  constructor(
    private readonly usual: Rate | undefined,
    ports: Partial<RateLimitsPorts> = {},
  ) {
    this.ports = { openCounts: () => undefined, timing: systemTiming, report: reportFailure, ...ports };
    this.repeat = new Repeat(() => this.exchangeReported(), everyMs, this.ports.timing);
  }

  /**
   * Returns the admission that counts the requests of a route.
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

  /** Returns the window of a policy, which exists from its first use. */
  windowOf(policy: string, rate: Rate): RateWindow {
    const window = this.windows.get(policy) ?? new RateWindow(policy, rate, this.ports.timing.wall);
    this.windows.set(policy, window);
    return window;
  }

  /** Starts the exchange of counts, if a route is limited. */
  onApplicationBootstrap(): void {
    if (this.windows.size === 0) return;
    this.counts = this.ports.openCounts();
    if (this.counts !== undefined) this.repeat.start();
  }

  /** Stops, and exchanges the counts for the last time. */
  async onModuleDestroy(): Promise<void> {
    await this.repeat.stop();
    await this.exchange();
    this.counts?.close?.();
  }

  /** Exchanges the counts once, after a running exchange, because two exchanges at once would send the same counts twice. */
  exchange(): Promise<void> {
    return this.repeat.runAfresh();
  }

  private async exchangeReported(): Promise<void> {
    if (this.counts === undefined) return;
    try {
      await this.exchangeWith(this.counts);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.ports.report(error);
    }
  }

  private async exchangeWith(counts: RateCounts): Promise<void> {
    const windows = [...this.windows.values()];
    const sent = windows.flatMap((window) => window.pending());
    const totals = await counts.add(sent);
    const bySubject = new Map(sent.map((count) => [count.subject, count]));
    for (const window of windows) window.learn(totals, bySubject);
    const now = this.ports.timing.wall();
    if (now - this.deletedAtMs < deletion.everyMs) return;
    const deleted = await counts.deleteOlder?.(new Date(now - deletion.everyMs), deletion.rows);
    if ((deleted ?? 0) < deletion.rows) this.deletedAtMs = this.ports.timing.wall();
  }
}

/**
 * Counts a request, and sets the rate-limit headers.
 *
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

function reportFailure(error: unknown): void {
  new Logger('RateLimiting').error('rate limit synchronization failed', error);
}
