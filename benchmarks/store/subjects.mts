/** A server with the five routes. */
export interface Subject {
  readonly name: string;
  /** The program file, relative to this folder. */
  readonly entry: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The stores. On each store, all servers have equal rows and durability. */
export type Store = 'SQLite' | 'PostgreSQL';

/** The server that the peers are compared with. */
export const ours = 'Sluice';
export const byHand = 'Fastify, statements by hand';
export const groupedByHand = 'Fastify, by hand, group commit';

const drizzle = 'Fastify, Drizzle';
const typeOrm = 'NestJS, Express, TypeORM';
const mikroOrm = 'NestJS, Fastify, MikroORM';

export const subjectsOf: Readonly<Record<Store, readonly Subject[]>> = {
  SQLite: [
    { name: typeOrm, entry: 'peers/typeorm' },
    { name: mikroOrm, entry: 'peers/mikro-orm' },
    { name: drizzle, entry: 'peers/drizzle-sqlite' },
    { name: byHand, entry: 'peers/by-hand-sqlite' },
    { name: groupedByHand, entry: 'peers/by-hand-sqlite', env: { GROUP_COMMIT: 'on' } },
    { name: ours, entry: 'sluice' },
  ],
  PostgreSQL: [
    { name: typeOrm, entry: 'peers/typeorm' },
    { name: mikroOrm, entry: 'peers/mikro-orm' },
    { name: drizzle, entry: 'peers/drizzle-postgres' },
    { name: byHand, entry: 'peers/by-hand-postgres' },
    { name: ours, entry: 'sluice' },
  ],
};

/**
 * The maximum CPU for Sluice as a multiple of the peer's CPU, per route in the order that `routes` has. NaN means that no goal
 * is set.
 */
export interface Goal {
  readonly store: Store;
  readonly subject: string;
  readonly atMost: readonly number[];
}

const everywhere = (share: number) => [share, share, share, share, share];

/** The goals for each store. */
export const goals: readonly Goal[] = [
  { store: 'SQLite', subject: byHand, atMost: [2.1, 0.8, 1.2, 0.8, 0.65] },
  { store: 'SQLite', subject: groupedByHand, atMost: [Number.NaN, Number.NaN, Number.NaN, 1.9, 1.9] },
  { store: 'SQLite', subject: drizzle, atMost: everywhere(0.65) },
  { store: 'SQLite', subject: mikroOrm, atMost: everywhere(0.4) },
  { store: 'SQLite', subject: typeOrm, atMost: everywhere(0.35) },
  { store: 'PostgreSQL', subject: byHand, atMost: [1.7, 1.25, 1.5, 1.75, 1.5] },
  { store: 'PostgreSQL', subject: drizzle, atMost: everywhere(0.65) },
  { store: 'PostgreSQL', subject: mikroOrm, atMost: everywhere(0.4) },
  { store: 'PostgreSQL', subject: typeOrm, atMost: everywhere(0.35) },
];
