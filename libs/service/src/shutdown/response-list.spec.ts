import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ResponseList } from './response-list';

const megabyte = 2 ** 20;

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('a list of responses', () => {
  it('keeps their order, whichever are removed', () => {
    const list = new ResponseList();
    const [first, second, third, fourth] = Array.from({ length: 4 }, newResponse);
    for (const response of [first, second, third]) list.add(response, false);
    list.remove(second);
    list.add(fourth, false);
    expect(list.toArray()).toEqual([first, third, fourth]);
    for (const response of [fourth, first, third]) list.remove(response);
    expect([list.toArray(), list.size]).toEqual([[], 0]);
    list.add(second, false);
    expect(list.toArray()).toEqual([second]);
  });

  it('counts those that wait', () => {
    const list = new ResponseList();
    const [waiting, begun, third] = Array.from({ length: 3 }, newResponse);
    for (const response of [waiting, begun]) list.add(response, true);
    list.add(third, false);
    for (let times = 0; times < 2; times += 1) list.begin(begun);
    list.begin(third);
    expect([list.size, list.waiting, list.toArray({ isWaiting: true })]).toEqual([3, 1, [waiting]]);
    for (let times = 0; times < 2; times += 1) list.remove(waiting);
    expect([list.size, list.waiting]).toEqual([2, 0]);
  });

  it('lets minor garbage collections free what was removed after a full one', () => {
    const collect = garbageCollector();
    const list = new ResponseList();
    const shared = newResponse();
    const churn = () => {
      for (let round = 0; round < 20; round += 1) {
        for (let at = 0; at < 500; at += 1) {
          list.add(Object.assign(Object.create(shared), { body: Array<number>(300).fill(at) }), false);
          if (list.size > 50) list.remove(list.toArray()[0] ?? shared);
        }
        collect({ type: 'minor' });
      }
    };
    churn();
    collect({ type: 'major' });
    const before = oldGeneration();
    churn();
    // With a `Set` it is 17 MiB.
    expect(oldGeneration() - before).toBeLessThan(4 * megabyte);
  });
});

function garbageCollector(): (options: { readonly type: 'minor' | 'major' }) => void {
  setFlagsFromString('--expose-gc');
  const collect: ReturnType<typeof garbageCollector> = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/** The size in bytes. */
function oldGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
}
