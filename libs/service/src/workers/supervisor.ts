import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { workerNumberVariable } from '@app/settings';
import { AggregatorRegistry, Counter } from 'prom-client';
import type { OpenLogs } from '../logs/open-logs';
import type { Listening } from '../process/banner';
import { beatsInTimeout, type WorkerMessage, WorkerStartError } from '../process/worker';

const restartMs = { first: 100, most: 30_000 };
/** The time after which a worker counts as started well. */
const stableMs = 60_000;
/** The maximum duration for a start, which may wait for a migration in a second program. */
const startMs = 150_000;

/** Runs a program as several processes that accept connections on the same port. It replaces processes that exit or hang. */
export class Supervisor {
  /** The running workers. Their missing heartbeats are counted instead of timed, because a machine may be suspended. */
  private readonly running = new Map<number, { readonly worker: Worker; beatsLeft: number }>();
  private readonly registry = new AggregatorRegistry();
  private readonly restarts = new Counter({
    name: 'sluice_worker_restarts_total',
    help: 'Workers that exited and were started again.',
    registers: [this.registry],
  });
  private state: 'starting' | 'started' | 'stopping' = 'starting';

  /** Creates a supervisor. @param beatMs the interval at which workers send a heartbeat */
  constructor(
    private readonly beatMs: number,
    private readonly logs: Pick<OpenLogs, 'log' | 'write'>,
  ) {}

  /** Starts the first worker, which migrates, and then the other workers. @throws WorkerStartError if the first worker exits */
  async start(count: number): Promise<Listening> {
    // This process writes the log of the workers, so that it has whole lines and one file.
    cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    setInterval(() => this.killHung(), this.beatMs);
    const listening = await this.launch(1, 0, Number.POSITIVE_INFINITY);
    this.state = 'started';
    await Promise.allSettled(Array.from({ length: count - 1 }, (_, index) => this.launch(index + 2, 0)));
    return listening;
  }

  /** Renders the metrics of all workers in the Prometheus text format. */
  async metrics(): Promise<string> {
    return `${await this.registry.clusterMetrics()}\n${await this.registry.metrics()}`;
  }

  signal(signal: NodeJS.Signals): void {
    for (const { worker } of this.running.values()) worker.process.kill(signal);
  }

  /** Sends SIGTERM to each worker, and waits until all have exited. */
  async stop(): Promise<void> {
    this.state = 'stopping';
    const exits = [...this.running.values()].map(({ worker }) => once(worker, 'exit'));
    this.signal('SIGTERM');
    for (const [code, signal] of await Promise.all(exits))
      // The signal itself ends a worker that has only just begun to start.
      if (code !== 0 && signal !== 'SIGTERM') throw new Error(`a worker exited with ${code ?? signal}`);
  }

  private launch(number: number, failures: number, beatsLeft = startMs / this.beatMs): Promise<Listening> {
    const startedAt = performance.now();
    const worker = cluster.fork({ [workerNumberVariable]: number, LOG_FILE: undefined });
    const running = { worker, beatsLeft };
    this.running.set(number, running);
    if (worker.process.stdout)
      createInterface(worker.process.stdout).on('line', (line) => this.logs.write(`${line}\n`));
    // A message to a worker that has just exited is lost.
    worker.on('error', () => undefined);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        if (message === 'sluice:metrics') void this.sendMetrics(worker);
        if (message === 'sluice:alive') running.beatsLeft = beatsInTimeout;
        if (typeof message !== 'object' || !('listening' in message)) return;
        running.beatsLeft = beatsInTimeout;
        resolve(message.listening);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.running.delete(number);
        reject(new WorkerStartError());
        const soonFailures = performance.now() - startedAt < stableMs ? failures : 0;
        if (this.state === 'started') this.replace(number, soonFailures, { code, signal });
      });
    });
  }

  private replace(number: number, failures: number, exit: object): void {
    const delayMs = Math.min(restartMs.most, restartMs.first * 2 ** failures);
    this.logs.log.error({ worker: number, ...exit, restartMs: delayMs }, 'worker exited');
    setTimeout(() => {
      if (this.state === 'stopping') return;
      this.restarts.inc();
      this.launch(number, failures + 1).then(
        () => this.logs.log.info({ worker: number }, 'worker restarted'),
        () => undefined,
      );
    }, delayMs);
  }

  /** Kills workers that are stopped or blocked for good, because they would ignore a SIGTERM. */
  private killHung(): void {
    for (const [number, running] of this.running) {
      running.beatsLeft -= 1;
      if (running.beatsLeft !== 0 || this.state === 'stopping') continue;
      this.logs.log.error({ worker: number }, 'worker unresponsive');
      running.worker.process.kill('SIGKILL');
    }
  }

  private async sendMetrics(worker: Worker): Promise<void> {
    worker.send({ sluiceMetrics: await this.metrics().catch(() => '') });
  }
}
