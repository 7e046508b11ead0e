/** Bare Hono with the six routes only. */
import { Hono } from 'hono';
import { type Known, serveRoutes } from './hono-routes.mts';

serveRoutes(new Hono<Known>());
