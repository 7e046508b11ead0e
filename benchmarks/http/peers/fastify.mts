/** Bare Fastify: only the six routes. */
import fastify from 'fastify';
import { options, serveRoutes } from './fastify-routes.mts';

await serveRoutes(fastify(options));
