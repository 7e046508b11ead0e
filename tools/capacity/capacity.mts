import { type Figure, figures, type Store } from './figures.mts';

/** What a service shall carry, at its busiest. */
export interface Load {
  readonly store: Store;
  /** Requests a second, without sign-ins and refreshes. */
  readonly requests: number;
  /** The part of these that writes, from 0 to 1. */
  readonly writes: number;
  /** Users who have a session in use at the same time. */
  readonly activeUsers: number;
  /** Sign-ins a second. */
  readonly signIns: number;
  /** Sessions and API keys that are ended in a second, by whomever. */
  readonly revocations: number;
  /** `ACCESS_TOKEN_TTL`: each active user refreshes a token once in it. */
  readonly tokenSeconds: number;
  /** The part of a core that is planned with, from 0 to 1; the rest is for peaks and for a program that is lost. */
  readonly utilisation: number;
}

/** A line of the result. */
export interface Line {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

export interface Capacity {
  readonly lines: readonly Line[];
  /** What to run, and what bounds it. */
  readonly advice: readonly string[];
  /** The figures that were used, by name. */
  readonly used: ReadonlyMap<string, Figure>;
}

/** Clocks of programs may differ by this much, and a revocation is in memory for longer by it. */
const MARGIN_SECONDS = 70;
/** Rates are unlikely to be the same on other hardware: half of what a file committed is planned with. */
const FILE_SHARE = 0.5;

/** The arithmetic of a load: cores, programs, memory and the step of docs/guides/scale.md that it needs. */
export function capacityOf(load: Load): Capacity {
  const { store } = load;
  const used = {
    read: figures.read[store],
    write: figures.write[store],
    'sign-in': figures.signIn[store],
    refresh: figures.refresh[store],
    'memory of a program': figures.program,
    'memory of a revocation': figures.revocationBytes,
    'start for each revocation': figures.revocationStart,
    ...(store === 'sqlite' ? { 'writes of one file': figures.sqliteWrites } : {}),
  };
  const writes = load.requests * load.writes;
  const refreshes = load.activeUsers / load.tokenSeconds;
  const micros = [
    (load.requests - writes) * used.read.value,
    writes * used.write.value,
    load.signIns * used['sign-in'].value,
    refreshes * used.refresh.value,
  ];
  const cores = micros.reduce((sum, one) => sum + one, 0) / 1e6;
  const programs = Math.max(1, Math.ceil(cores / load.utilisation));
  const live = load.revocations * (load.tokenSeconds + MARGIN_SECONDS);
  const memory = figures.program.value + (live * figures.revocationBytes.value) / 2 ** 20;
  // A sign-in and a refresh are each one transaction.
  const commits = writes + load.signIns + refreshes;
  return {
    lines: [
      line('refreshes', refreshes, '/s'),
      line('commits', commits, '/s'),
      line('cores that are busy', cores, 'cores'),
      line('programs, or WORKERS', programs, ''),
      line('memory of each', memory, 'MiB'),
      line('memory of all', memory * programs, 'MiB'),
      line('revocations in memory', live, ''),
      line('start for revocations', (live * figures.revocationStart.value) / 1e6, 's'),
    ],
    advice: adviceOf(load, programs, commits),
    used: new Map(Object.entries(used)),
  };
}

function line(what: string, value: number, unit: string): Line {
  return { what, value: Number(value.toPrecision(3)), unit };
}

function adviceOf({ store, tokenSeconds }: Load, programs: number, commits: number): readonly string[] {
  const advice = store === 'sqlite' ? adviceOnSqlite(programs, commits) : adviceOnPostgres(programs, commits);
  return tokenSeconds > 24 * 60 * 60
    ? [
        ...advice,
        'Access tokens of more than a day: the programs keep what was revoked for as long. Shorten ACCESS_TOKEN_TTL first.',
      ]
    : advice;
}

function adviceOnSqlite(programs: number, commits: number): readonly string[] {
  const bound = figures.sqliteWrites.value * FILE_SHARE;
  if (commits > bound)
    return [
      `PostgreSQL: ${round(commits)} commits a second are more than the ${round(bound)} that are planned for one SQLite file.`,
    ];
  if (programs === 1) return ['One program on SQLite.'];
  return [
    `SQLite on one machine with WORKERS=${programs} and as many cores. Its workers contend for one write lock.`,
    'PostgreSQL, if the machine may be lost, or a release must not interrupt requests.',
  ];
}

function adviceOnPostgres(programs: number, commits: number): readonly string[] {
  return [
    `${Math.max(2, programs)} programs behind a proxy, of one core each; of several cores with WORKERS.`,
    `One primary takes all ${round(commits)} commits a second. What it takes was not measured: measure yours with npm run bench:store.`,
  ];
}

function round(value: number): string {
  return Math.round(value).toLocaleString('en');
}
