/** A server of the six routes. */
export interface Subject {
  readonly name: string;
  /** The program, relative to this folder. */
  readonly entry: string;
}

/** The measured servers: the peers, from NestJS as documented to the baseline, and ours twice. */
export const subjects: readonly Subject[] = [
  { name: 'NestJS on Express, as documented', entry: 'peers/nest-express' },
  { name: 'NestJS on Fastify, as documented', entry: 'peers/nest-fastify' },
  { name: 'Express 5, zod, passport-jwt', entry: 'peers/express' },
  { name: 'Hono, zod, hono/jwt', entry: 'peers/hono' },
  { name: 'Fastify, schemas, @fastify/jwt, token cache', entry: 'peers/fastify' },
  { name: 'node:http by hand, tokens remembered', entry: 'peers/node' },
  { name: 'node:http by hand, our headers and log', entry: 'peers/node-with-headers' },
  { name: 'Sluice', entry: 'sluice/sluice' },
  { name: 'Sluice on SQLite', entry: 'sluice/sluice-sqlite' },
];

/** The server that the others are compared with. */
export const ours = 'Sluice';

/** The goals: how many times as much CPU as ours a peer should need at least, per route. */
export const goals: readonly { readonly subject: string; readonly atLeast: readonly number[] }[] = [
  { subject: 'NestJS on Express, as documented', atLeast: [3.3, 5, 9, 9, 9, 4.5] },
  { subject: 'NestJS on Fastify, as documented', atLeast: [1.8, 3.5, 8, 8, 8, 3.3] },
  { subject: 'Fastify, schemas, @fastify/jwt, token cache', atLeast: [0.95, 1, 1.5, 1.6, 1.5, 1.1] },
  { subject: 'node:http by hand, tokens remembered', atLeast: [0.85, 0.75, 0.85, 0.8, 0.75, 0.6] },
];
