import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { AggregatorRegistry } from 'prom-client';
import { gatherLog } from '../../testing/gather-log';
import { Supervisor } from './supervisor';

/** A process of a worker, as far as a supervisor knows it. */
class FakeWorker extends EventEmitter {
  readonly signals: unknown[] = [];
  readonly send = vi.fn<(message: unknown) => void>();
  readonly process = {
    stdout: new PassThrough(),
    kill: (signal: string) => {
      this.signals.push(signal);
      this.emit('exit', null, signal);
    },
  };

  listen(): void {
    this.emit('message', { listening: {} });
  }
}

describe('a supervisor', () => {
  const HOUR = 3_600_000;
  let workers: FakeWorker[];
  let numbers: unknown[];
  let supervisor: Supervisor;
  let written: string;
  let lines: ReturnType<typeof gatherLog>['lines'];

  beforeEach(() => {
    vi.useFakeTimers();
    [workers, numbers, written] = [[], [], ''];
    vi.spyOn(cluster, 'setupPrimary').mockReturnValue();
    vi.spyOn(cluster, 'fork').mockImplementation((env) => {
      const worker = new FakeWorker();
      workers.push(worker);
      numbers.push(env.SLUICE_WORKER);
      return worker as unknown as Worker;
    });
    const gathered = gatherLog();
    ({ lines } = gathered);
    supervisor = new Supervisor(1000, { log: gathered.logs.log, write: (text) => (written += text) });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Starts two workers, of which the first listens and lives. */
  async function start(): Promise<void> {
    void supervisor.start(2);
    workers[0]?.listen();
    setInterval(() => workers[0]?.emit('message', 'sluice:alive'), 1000);
    await vi.advanceTimersByTimeAsync(0);
  }

  it('starts the second worker once the first listens', async () => {
    void supervisor.start(2);
    expect(numbers).toEqual([1]);
    workers[0]?.listen();
    await vi.advanceTimersByTimeAsync(0);
    expect(numbers).toEqual([1, 2]);
  });

  it('does not start if the first worker exits before it listens', async () => {
    const started = supervisor.start(2);
    workers[0]?.emit('exit', 1, null);
    await expect(started).rejects.toThrow(expect.objectContaining({ name: 'WorkerStartError' }));
    expect(numbers).toEqual([1]);
  });

  it('waits twice as long before each restart of a worker that exits soon, up to half a minute', async () => {
    await start();
    for (let exit = 0; exit < 11; exit++) {
      workers.at(-1)?.emit('exit', 1, null);
      await vi.advanceTimersByTimeAsync(30_000);
    }
    const delays = lines()
      .filter(({ msg }) => msg === 'worker exited')
      .map(({ restartMs }) => restartMs);
    expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect(new Set(numbers.slice(1))).toEqual(new Set([2]));
  });

  it('restarts a worker soon again after it ran for a minute', async () => {
    await start();
    for (const ranMs of [0, 0, 60_000]) {
      await vi.advanceTimersByTimeAsync(ranMs);
      workers.at(-1)?.emit('exit', 1, null);
      await vi.advanceTimersByTimeAsync(1000);
    }
    const exits = lines().filter(({ msg }) => msg === 'worker exited');
    expect(exits.map(({ restartMs }) => restartMs)).toEqual([100, 200, 100]);
  });

  it('kills a worker without ten heartbeats, once', async () => {
    await start();
    workers[1]?.listen();
    await vi.advanceTimersByTimeAsync(9000);
    expect(workers[1]?.signals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([workers[0]?.signals, workers[1]?.signals]).toEqual([[], ['SIGKILL']]);
    expect(lines()).toMatchObject([{ msg: 'worker unresponsive', worker: 2 }, { msg: 'worker exited' }]);
  });

  it('waits as long as it takes for the first worker', async () => {
    void supervisor.start(2);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(workers[0]?.signals).toEqual([]);
  });

  it('waits longer for a worker that starts', async () => {
    await start();
    await vi.advanceTimersByTimeAsync(149_000);
    expect(workers[1]?.signals).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(workers[1]?.signals).toEqual(['SIGKILL']);
  });

  it('writes complete lines of the workers, whatever the pieces in which they arrive', async () => {
    await start();
    workers[0]?.process.stdout.write('{"a":1');
    workers[1]?.process.stdout.write('{"b":"é"}\n{"b"');
    workers[0]?.process.stdout.write('}\n');
    workers[1]?.process.stdout.end(':2}');
    await vi.waitFor(() =>
      expect(written.trim().split('\n').toSorted()).toEqual(['{"a":1}', '{"b":"é"}', '{"b":2}']),
    );
  });

  it('responds to a worker with the metrics of all, or with none if a worker does not respond', async () => {
    const all = vi.spyOn(AggregatorRegistry.prototype, 'clusterMetrics');
    all.mockResolvedValueOnce('up{worker="1"} 1\n').mockRejectedValueOnce(new Error('Operation timed out.'));
    await start();
    for (let request = 0; request < 2; request++) {
      workers[0]?.emit('message', 'sluice:metrics');
      await vi.advanceTimersByTimeAsync(0);
    }
    const texts = workers[0]?.send.mock.calls.map(([message]) => message);
    expect(texts).toMatchObject([
      {
        sluiceMetrics: expect.stringMatching(/^up\{worker="1"\} 1\n\n[^]*sluice_worker_restarts_total 0\n$/),
      },
      { sluiceMetrics: '' },
    ]);
  });

  it('ends each worker by SIGTERM, and restarts none', async () => {
    await start();
    await supervisor.stop();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(workers.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM']]);
  });
});
