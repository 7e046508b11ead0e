import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { Load, tally } from '../callers/load.mts';
import { type Drill, finding } from '../drill.mts';

const MB = 1024 * 1024;
const connections = 10;
/** The size that the WAL keeps at most, and the size up to which it grows here. */
const [keptMB, grownMB] = [16, 24];
const deadlineMs = 60_000;

export const longReader: Drill = {
  name: 'long-reader',
  action: 'reads from outside in a transaction that stays open while clients write, and ends it',
  expectation: `requests are answered meanwhile; the WAL grows, and shrinks to ${keptMB} MB once the reader is gone`,
  stores: ['sqlite'],
  fires: [],
  run: async ({ start, url, subject, table, store }) => {
    await start();
    const path = store.url.slice('sqlite:'.length);
    const walMB = () => (existsSync(`${path}-wal`) ? Math.round(statSync(`${path}-wal`).size / MB) : 0);
    const reader = new DatabaseSync(path);
    reader.exec('begin');
    reader.prepare(`select count(*) from "${table.name}"`).all();
    const load = new Load(url, await signIn(url), subject, { postEvery: 1 });
    const stopLoad = load.start(connections);
    await until(() => walMB() > grownMB);
    const grown = walMB();
    reader.close();
    const releasedAt = performance.now();
    await until(() => walMB() <= keptMB);
    const shrunkMs = Math.round(performance.now() - releasedAt);
    await stopLoad();
    const lost = await missing(url, await signIn(url), load.acknowledged);
    return finding(
      {
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        refused: tally(load.refused),
        'WAL with the reader, MB': grown,
        'WAL after it, MB': walMB(),
        'shrunk after, ms': shrunkMs,
      },
      {
        'the WAL grows with the reader': grown > grownMB,
        'the WAL shrinks after it': walMB() <= keptMB,
        'no request is refused': load.refused.length === 0,
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
      },
    );
  },
};

async function until(holds: () => boolean): Promise<void> {
  const begun = performance.now();
  while (!holds() && performance.now() - begun < deadlineMs) await pause(20);
}
