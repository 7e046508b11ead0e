/** A program to start and measure. */
export interface Program {
  readonly name: string;
  /** The program file, relative to this folder. */
  readonly entry: string;
}

/** A server with the six routes. */
export interface Subject extends Program {
  /** The label in the chart. */
  readonly label: string;
  /** Whether it sends our headers and logs each request. */
  readonly isEquipped?: boolean;
}

/** The measured servers. They are the peers, from documented NestJS to the baseline, and Sluice twice. */
export const subjects: readonly Subject[] = [
  { name: 'NestJS on Express, as documented', entry: 'peers/nest-express', label: 'NestJS on Express' },
  { name: 'NestJS on Fastify, as documented', entry: 'peers/nest-fastify', label: 'NestJS on Fastify' },
  { name: 'Express 5, zod, passport-jwt', entry: 'peers/express', label: 'Express 5' },
  { name: 'Hono, zod, hono/jwt', entry: 'peers/hono', label: 'Hono' },
  {
    name: 'Hono, our headers and log',
    entry: 'peers/hono-equipped',
    label: 'Hono, headers, log',
    isEquipped: true,
  },
  { name: 'Fastify, schemas, @fastify/jwt, token cache', entry: 'peers/fastify', label: 'Fastify' },
  {
    name: 'Fastify, our headers and log',
    entry: 'peers/fastify-equipped',
    label: 'Fastify, headers, log',
    isEquipped: true,
  },
  { name: 'node:http by hand, tokens remembered', entry: 'peers/node', label: 'node:http' },
  {
    name: 'node:http by hand, our headers and log',
    entry: 'peers/node-with-headers',
    label: 'node:http, headers, log',
    isEquipped: true,
  },
  { name: 'Sluice', entry: 'sluice/sluice', label: 'Sluice', isEquipped: true },
  { name: 'Sluice on SQLite', entry: 'sluice/sluice-sqlite', label: 'Sluice on SQLite', isEquipped: true },
];

/** The server that the peers are compared with. */
export const ours = 'Sluice';

/** The goals. Each goal states the minimum CPU for a peer as a multiple of our CPU, per route. */
export const goals: readonly { readonly subject: string; readonly atLeast: readonly number[] }[] = [
  { subject: 'NestJS on Express, as documented', atLeast: [3.3, 5, 9, 9, 9, 4.5] },
  { subject: 'NestJS on Fastify, as documented', atLeast: [1.8, 3.5, 8, 8, 8, 3.3] },
  { subject: 'Fastify, schemas, @fastify/jwt, token cache', atLeast: [0.95, 1, 1.5, 1.6, 1.5, 1.1] },
  { subject: 'Hono, our headers and log', atLeast: [1, 1, 1, 1, 1, 1] },
  { subject: 'Fastify, our headers and log', atLeast: [1, 1, 1, 1, 1, 1] },
  { subject: 'node:http by hand, our headers and log', atLeast: [0.87, 0.87, 0.87, 0.87, 0.87, 0.87] },
  { subject: 'node:http by hand, tokens remembered', atLeast: [0.85, 0.75, 0.85, 0.8, 0.75, 0.6] },
];
