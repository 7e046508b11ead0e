import type { FastifyReply, FastifyRequest } from 'fastify';

/** Counts a request of an account or address, and sets the response header fields. */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => void;
