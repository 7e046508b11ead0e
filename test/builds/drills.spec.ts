import { join } from 'node:path';
import { inject } from 'vitest';
import { drills } from '../../tools/drill/drills.mts';
import { runDrill } from '../../tools/drill/run.mts';

const workspace = inject('builds')[0]?.workspace ?? '';

/** Those that take seconds and not minutes; `npm run drill` runs them all, on both stores. */
const short = new Set(['kill-9', 'unhandled-error', 'rolling-restart']);

describe.each(drills.filter(({ name }) => short.has(name)))('the drill $name', (drill) => {
  const lacking = drill.lacks?.('sqlite');

  it.skipIf(lacking)(`passes${lacking ? ` (needs ${lacking})` : ''}: ${drill.expectation}`, async () => {
    const main = join(workspace, 'dist/apps/api/main.js');
    const { failures, numbers } = await runDrill(drill, 'sqlite', { main, isQuick: true });
    expect({ failures, numbers }).toEqual({ failures: [], numbers: expect.anything() });
  });
});
