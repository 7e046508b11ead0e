import type { Caller, RefreshRoutes, SignInRoute } from './callers.mts';
import type { Operation } from '../openapi/openapi.mts';
import type { ProgramMeter } from './program-meter.mts';
import type { Findings } from './results.mts';
import type { ServiceLog } from './service-log.mts';
import type { IdentityProvider } from '../wire/identity-provider.mts';
import type { Wire } from '../wire/wire.mts';

/** The three accounts: two without a role, and an administrator. */
export interface Callers {
  readonly user: Caller;
  readonly other: Caller;
  readonly admin: Caller;
}

/** A program that a check has started. */
export interface StartedProgram {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a separate program with a clock that is ahead by `aheadMs` milliseconds, and tokens that are valid for `tokenSeconds`
 * seconds. All these programs share a store that is separate from the service's store.
 */
export type StartWithClock = (aheadMs: number, tokenSeconds: number) => Promise<StartedProgram>;

/** Starts a second program on the service's store. */
export type StartSecond = () => Promise<StartedProgram>;

/** Reads the tokens of the links in the mails to an address, the last mail first. */
export type MailsTo = (address: string) => Promise<readonly string[]>;

/** A service under attack, and the facts that are known about it. */
export interface Target {
  readonly wire: Wire;
  readonly operations: readonly Operation[];
  readonly callers: Callers;
  readonly signIn: SignInRoute | undefined;
  readonly refresh: RefreshRoutes | undefined;
  /** The path of its document, a large response that every caller may request. */
  readonly documentPath: string | undefined;
  /** The meter of the service process, if it runs on this machine. */
  readonly meter: ProgramMeter | undefined;
  /** The service's log, if it can be read. */
  readonly log: ServiceLog | undefined;
  /** The secret that signs its tokens, if given. */
  readonly secret: string | undefined;
  /** The origin of the pages that the passkeys belong to, if specified. */
  readonly origin: string | undefined;
  /** The paths of WebSocket gateways that require a caller. */
  readonly gateways: readonly string[];
  readonly startWithClock: StartWithClock | undefined;
  readonly startSecond: StartSecond | undefined;
  /** Starts a {@link startSecond} program behind a proxy, which limits each caller to {@link callerLimit} requests a minute. */
  readonly startLimited: StartSecond | undefined;
  /** Returns the URL of a second program with accounts on the service's store, if it runs. */
  readonly elsewhere: (() => string | undefined) | undefined;
  readonly mailsTo: MailsTo | undefined;
  /** Counts the recent records that the service keeps about an address, if they can be read. */
  readonly recordsFrom: ((address: string) => Promise<number>) | undefined;
  /** The attack's own identity providers, which the programs that it starts have in their settings. */
  readonly providers: readonly IdentityProvider[];
  /** The addresses on this machine that the baseline caller does not use. Each of the last addresses serves a single check. */
  readonly addresses: readonly string[];
  readonly effort: Effort;
  /** The running check's findings. */
  readonly findings: Findings;
}

/** The number of requests that a caller may send in a minute, in a program that is started to show its limit. */
export const callerLimit = 30;

/** The duration and intensity of the attack. */
export interface Effort {
  /** The length of a measurement period in milliseconds. */
  readonly periodMs: number;
  readonly connections: number;
  readonly slowConnections: number;
  /** The longest time to wait until a token expires. */
  readonly longestWaitMs: number;
  /** The latency in milliseconds below which a baseline caller always passes, because a busy machine has such delays. */
  readonly unnoticedMs: number;
  /** The number of measurements. A single success passes, because other work disturbs some and a fault disturbs all. */
  readonly tries: number;
}

/** The usual effort `full`, and the effort `quick`, which ends within two minutes. */
export const efforts = {
  full: {
    periodMs: 10_000,
    connections: 64,
    slowConnections: 1500,
    longestWaitMs: 70_000,
    unnoticedMs: 250,
    tries: 3,
  },
  quick: {
    periodMs: 1800,
    connections: 32,
    slowConnections: 1000,
    longestWaitMs: 15_000,
    unnoticedMs: 250,
    tries: 3,
  },
} as const;

/** A check that attacks a target and reports its findings. */
export interface Check {
  readonly area: string;
  readonly name: string;
  readonly run: (target: Target, findings: Findings) => Promise<void>;
}

export function check(
  area: string,
  name: string,
  run: (target: Target, findings: Findings) => void | Promise<void>,
): Check {
  return { area, name, run: async (target, findings) => run(target, findings) };
}

let seeds = Math.floor(Math.random() * 1e6) * 1000;

/** A different number each time, so that nothing that is made from it is taken. */
export function nextSeed(): number {
  return (seeds += 1);
}
