/** Bare Hono: only the six routes. */
import { Hono } from 'hono';
import { type Known, serveRoutes } from './hono-routes.mts';

serveRoutes(new Hono<Known>());
