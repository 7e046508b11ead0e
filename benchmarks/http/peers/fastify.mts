/** Bare Fastify with the six routes only. */
import fastify from 'fastify';
import { options, serveRoutes } from './fastify-routes.mts';

await serveRoutes(fastify(options));
