/** One way of serving the six routes. */
export interface Subject {
  readonly name: string;
  /** The program, relative to this folder. */
  readonly entry: string;
}

/** What is measured: the peers, from the documented to the floor, and ours twice. */
export const subjects: readonly Subject[] = [
  { name: 'NestJS on Express, as documented', entry: 'peers/nest-express' },
  { name: 'NestJS on Fastify, as documented', entry: 'peers/nest-fastify' },
  { name: 'Express 5, zod, passport-jwt', entry: 'peers/express' },
  { name: 'Hono, zod, hono/jwt', entry: 'peers/hono' },
  { name: 'Fastify, schemas, @fastify/jwt, token cache', entry: 'peers/fastify' },
  { name: 'node:http by hand, tokens remembered', entry: 'peers/node' },
  { name: 'Sluice', entry: 'sluice/sluice' },
  { name: 'Sluice on SQLite', entry: 'sluice/sluice-sqlite' },
];

/** The one that the others are compared with. */
export const ours = 'Sluice';
