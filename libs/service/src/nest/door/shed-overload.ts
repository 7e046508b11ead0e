import type { FastifyInstance } from 'fastify';
import { OverloadedError } from '../../door/errors';
import type { Pressure } from '../../door/pressure';
import { anyForm, writeAnswer } from '../../door/write-answer';
import type { DoorLog } from './error.filter';

/** How often at most the log hears of it. */
const tellEveryMs = 10_000;

/**
 * Refuses requests with 503 and `Retry-After` while there are more than can be answered in time. Health is always
 * answered: a program that is busy is not to be started anew.
 *
 * @param pressure asked with each request
 */
export function shedOverload(server: FastifyInstance, pressure: Pressure, log: DoorLog): void {
  const { status, headers, body } = writeAnswer(new OverloadedError().answer, anyForm);
  let toldAt = -tellEveryMs;
  server.addHook('onRequest', (request, reply, done) => {
    if (!pressure.isTooHigh() || request.url.startsWith('/health')) return done();
    void reply.code(status).headers(headers).send(body);
    if (performance.now() - toldAt < tellEveryMs) return undefined;
    toldAt = performance.now();
    log.warn({}, 'more requests than can be answered in time: some are refused');
  });
}
