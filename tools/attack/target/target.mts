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
 * Starts another program, whose clock is ahead by so many milliseconds and whose tokens are valid for so many seconds; each time
 * on the same store, which is not that of the service.
 */
export type StartWithClock = (aheadMs: number, tokenSeconds: number) => Promise<StartedProgram>;

/** Starts another program on the store of the service. */
export type StartSecond = () => Promise<StartedProgram>;

/** Reads the tokens of the links in the mails to an address, the last mail first. */
export type MailsTo = (address: string) => Promise<readonly string[]>;

/** A service under attack, and what is known about it. */
export interface Target {
  readonly wire: Wire;
  readonly operations: readonly Operation[];
  readonly callers: Callers;
  readonly signIn: SignInRoute | undefined;
  readonly refresh: RefreshRoutes | undefined;
  /** The path of its document, a large response that every caller may request. */
  readonly documentPath: string | undefined;
  /** Of its process, if it runs on this machine. */
  readonly meter: ProgramMeter | undefined;
  /** If it can be read. */
  readonly log: ServiceLog | undefined;
  /** The secret that signs its tokens, if given. */
  readonly secret: string | undefined;
  /** Of the pages that its passkeys are for, if given. */
  readonly origin: string | undefined;
  /** Paths of WebSocket gateways that require a caller. */
  readonly gateways: readonly string[];
  readonly startWithClock: StartWithClock | undefined;
  readonly startSecond: StartSecond | undefined;
  /** As {@link startSecond}: one behind a proxy, which limits the requests of a caller to {@link callerLimit} a minute. */
  readonly startLimited: StartSecond | undefined;
  /** The URL of another program with accounts on the store of the service, if it runs. */
  readonly elsewhere: (() => string | undefined) | undefined;
  readonly mailsTo: MailsTo | undefined;
  /** Counts what the service has recorded of an address lately, if that can be read. */
  readonly recordsFrom: ((address: string) => Promise<number>) | undefined;
  /** Of the attack itself, which a program that it starts has in its settings. */
  readonly providers: readonly IdentityProvider[];
  /** Addresses of this machine that are not the baseline caller's; the last ones are used by one check each. */
  readonly addresses: readonly string[];
  readonly effort: Effort;
  /** Of the check that runs. */
  readonly findings: Findings;
}

/** Requests of one caller in a minute, in a program that is started to show its limit. */
export const callerLimit = 30;

/** How long and how hard the attack goes on. */
export interface Effort {
  /** Of one period of measurement, in milliseconds. */
  readonly periodMs: number;
  readonly connections: number;
  readonly slowConnections: number;
  /** For a token to expire. */
  readonly longestWaitMs: number;
  /** Latencies of a baseline caller below it pass, whatever those without an attack were: a busy machine has such delays by itself. */
  readonly unnoticedMs: number;
  /** Measurements of which one must pass: other work on the machine disturbs one or two, a fault each. */
  readonly tries: number;
}

/** The usual effort, and the one that ends within two minutes. */
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

/** One check: attacks a target, and says what it found. */
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
