import { join } from 'node:path';
import { inject } from 'vitest';
import { hasHaproxy } from '../../scripts/drill/haproxy.mts';
import { restartUnderLoad } from '../../scripts/drill/rolling-restart.mts';

const workspace = inject('builds')[0]?.workspace ?? '';
const canRun = hasHaproxy();
const why = canRun ? '' : ' (needs haproxy in the path)';

describe.runIf(canRun)(`three programs behind HAProxy${why}`, () => {
  it('lose no request when they are restarted one after the other under load', async () => {
    const result = await restartUnderLoad({
      file: join(workspace, 'dist/apps/api/main.js'),
      restarts: 3,
      connections: 50,
      requests: 2000,
      drainDelayMs: 5000,
    });
    expect(result.lost).toEqual([]);
    expect(result.answered).toBeGreaterThanOrEqual(2000);
    expect(result.created).toBeGreaterThan(0);
    expect(result.exitCodes).toEqual([0, 0, 0]);
  });
});
