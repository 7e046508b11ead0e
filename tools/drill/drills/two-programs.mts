import { call, create, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { freePort } from '../programs/free-port.mts';
import { Load } from '../callers/load.mts';

const connections = 8;

export const twoPrograms: Drill = {
  name: 'two-programs',
  action: 'writes to each of two programs on one store, and reads each write at once from the other program',
  expectation: 'each read finds what was acknowledged',
  stores: ['sqlite', 'postgres'],
  fires: [],
  run: async ({ start, url, prefix, subject, either }) => {
    await start();
    const second = await start({ port: await freePort() });
    const token = await signIn(url);
    const urls = [url, second.url + prefix];
    const loads = urls.map((each) => new Load(each, token, subject, { postEvery: 1 }).start(connections));
    let reads = 0;
    const stale: string[] = [];
    for (const rounds = either(3_000, 500); reads < rounds; reads++) {
      const [there = '', here = ''] = reads % 2 ? urls : urls.toReversed();
      const { headers, body } = await create(there, token, subject);
      const path = subject.pathOf({ headers, text: JSON.stringify(body) }) ?? '';
      if ((await call(here + path, { token })).status !== 200) stale.push(path);
    }
    await Promise.all(loads.map((stop) => stop()));
    return finding(
      { 'reads after a write': reads, stale: stale.length },
      { 'each read finds what was acknowledged': stale.length === 0 },
    );
  },
};
