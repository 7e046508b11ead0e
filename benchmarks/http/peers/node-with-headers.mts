/** The baseline of a production service: hand-written `node:http` with our headers and an access log. */
import { randomUUID } from 'node:crypto';
import { write } from 'node:fs';
import { fixedHeaders } from '../../../libs/service/src/responses/fixed-headers.ts';
import { serve } from './by-hand.mts';

let lines = '';

serve((request, response) => {
  const startedAt = performance.now();
  const requestId = randomUUID();
  response.given = { ...fixedHeaders, 'x-request-id': requestId };
  response.on('finish', () => {
    const { method, url = '/' } = request;
    const [path] = url.split('?', 1);
    const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
    const time = new Date().toISOString();
    const { statusCode: status } = response;
    log({ level: 'info', time, requestId, method, path, status, durationMs, msg: 'request completed' });
  });
});

/** Writes lines in batches. */
function log(fields: object): void {
  lines += `${JSON.stringify(fields)}\n`;
  if (lines.length < 64 * 1024) return;
  write(1, lines, () => undefined);
  lines = '';
}
