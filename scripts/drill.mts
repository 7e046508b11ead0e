import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasHaproxy } from './drill/haproxy.mts';
import { restartUnderLoad } from './drill/rolling-restart.mts';
import { root, runScript } from './workspace.mts';

const lostShown = 20;

/**
 * Restarts three built programs of `api` under load, behind HAProxy, and counts the requests that are lost:
 * `npm run build && npm run drill`.
 */
await runScript(async () => {
  const { values } = parseArgs({
    options: {
      restarts: { type: 'string', default: '10' },
      connections: { type: 'string', default: '50' },
      requests: { type: 'string', default: '100000' },
      'drain-delay': { type: 'string', default: '5000' },
    },
  });
  if (!hasHaproxy())
    throw new Error('haproxy is not in the path: install it, for example by apt-get install haproxy');
  const { answered, created, lost, exitCodes, seconds } = await restartUnderLoad({
    file: join(root, 'dist/apps/api/main.js'),
    restarts: Number(values.restarts),
    connections: Number(values.connections),
    requests: Number(values.requests),
    drainDelayMs: Number(values['drain-delay']),
  });
  console.log(`${answered} requests answered in ${Math.round(seconds)} s, ${created} of them POST`);
  console.log(`${exitCodes.length} restarts, exit codes: ${[...new Set(exitCodes)].join(', ')}`);
  for (const line of lost.slice(0, lostShown)) console.log(`lost: ${line}`);
  console.log(`${lost.length === 0 ? 'PASS' : 'FAIL'}  rolling restart: ${lost.length} requests lost`);
  if (lost.length > 0) process.exitCode = 1;
});
