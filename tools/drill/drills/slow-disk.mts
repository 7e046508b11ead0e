import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, p99 } from '../callers/load.mts';
import { Watch } from '../callers/watch.mts';

const connections = 10;
const delayMs = 400;
const readWithinMs = 250;

export const slowDisk: Drill = {
  name: 'slow-disk',
  action: `makes each fsync take ${delayMs} ms, by strace`,
  expectation: 'writes are answered, several by one fsync; reads and health do not wait for the disk',
  stores: ['sqlite'],
  fires: ['SluiceFsyncSlow'],
  lacks: () => (spawnSync('strace', ['-V']).status === 0 ? undefined : 'strace in the path'),
  run: async ({ start, url, subject, either }) => {
    const program = await start();
    const token = await signIn(url);
    const delayed = `fsync,fdatasync`;
    const strace = spawn(
      'strace',
      [
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        `trace=${delayed}`,
        '-e',
        `inject=${delayed}:delay_enter=${delayMs * 1000}`,
        '-p',
        String(program.child.pid),
      ],
      { stdio: 'ignore' },
    );
    const load = new Load(url, token, subject, { postEvery: 1 });
    const stopLoad = load.start(connections);
    const reads = new Watch(url + subject.list, token);
    const ready = new Watch(`${url}/health/ready`);
    await pause(either(12_000, 6000));
    await stopLoad();
    await Promise.all([reads.stop(), ready.stop()]);
    const ended = once(strace, 'exit');
    strace.kill('SIGINT');
    await ended;
    const lost = await missing(url, token, load.acknowledged);
    return finding(
      {
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        'p99 of writes, ms': p99(load.exchanges),
        'p99 of reads, ms': p99(reads.replies),
        'health checks failed': ready.failed,
      },
      {
        'writes are answered': load.refused.length === 0,
        'the disk is slow': p99(load.exchanges) >= delayMs,
        'reads do not wait for the disk': reads.failed === 0 && p99(reads.replies) < readWithinMs,
        'health does not fail': ready.failed === 0,
        'every acknowledged write is there': lost.length === 0,
      },
    );
  },
};
