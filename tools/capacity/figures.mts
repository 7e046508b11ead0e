/** A measured figure. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
  /** What measures it: a command of this repository. */
  readonly command: string;
}

/** The two kinds of databases. */
export type Store = 'sqlite' | 'postgres';

const store = 'npm run bench:store';
const growth = 'npm run bench:growth';
const refresh = 'npm run bench:refresh';
const revocations = 'npm run bench:revocations';

const micros = (value: number, command: string): Figure => ({ value, unit: 'µs', command });

/**
 * What one core and one program reached, by benchmarks/results.md and docs/reference/limits.md. The processor time of PostgreSQL is not
 * in it.
 */
export const figures = {
  /** Processor time of a page of 50 rows. */
  read: { sqlite: micros(245, store), postgres: micros(424, store) },
  /** Processor time of an order of ten lines. */
  write: { sqlite: micros(250, store), postgres: micros(316, store) },
  /** A sign-in by a password, most of it one argon2id hash, from its request to its response: an upper bound of its processor time. */
  signIn: { sqlite: micros(15_950, growth), postgres: micros(21_980, growth) },
  /** The reciprocal of the refreshes that one program made in a second: an upper bound as well. */
  refresh: { sqlite: micros(437, refresh), postgres: micros(1_225, refresh) },
  /** Orders in a second that one SQLite file committed, of one program. */
  sqliteWrites: { value: 4_158, unit: 'orders/s', command: store },
  /** The largest resident memory of a program in ten minutes at full load. */
  program: { value: 314, unit: 'MiB', command: 'npm run bench:overload -- --only memory' },
  /** At most, while they become more: 17 of a million. */
  revocationBytes: { value: 32, unit: 'bytes', command: revocations },
  /** Of a start. */
  revocationStart: { value: 0.54, unit: 'µs', command: revocations },
} as const satisfies Record<string, Figure | Readonly<Record<Store, Figure>>>;
