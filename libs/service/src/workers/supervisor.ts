import cluster, { type Worker } from 'node:cluster';
import { workerNumberVariable } from '@app/persistence';
import type { Listening } from '../lifecycle/banner';
import type { OpenLogs } from '../logs/open-logs';
import { mergeMetrics } from '../metrics/merge-metrics';
import { Metrics } from '../metrics/metrics';
import { countRestarts } from '../metrics/worker-metrics';
import { WorkerStartError, WorkerStopError } from './errors';
import { copyLines } from './copy-lines';
import { answerMetrics, askMetrics } from './exchange-metrics';
import { onMessage } from './messages';
import { RestartDelay } from './restart-delay';

/** Runs a program as several processes that accept connections on one port, and replaces those that end. */
export class Supervisor {
  private readonly workers = new Map<number, Worker>();
  private readonly delays = new Map<number, RestartDelay>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private hasStarted = false;
  private isStopping = false;
  private readonly own = new Metrics();
  private readonly restarts = countRestarts(this.own);

  constructor(
    private readonly count: number,
    private readonly logs: OpenLogs,
  ) {}

  /**
   * Starts the first worker, which migrates and creates what is missing, and then the others.
   *
   * @returns what the first one says about itself
   * @throws WorkerStartError if one ends before it listens
   */
  async start(): Promise<Listening> {
    // Their log is written by this process, so that it has whole lines and one file.
    cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    const listening = await this.launch(1);
    const others = Array.from({ length: this.count - 1 }, (_, index) => this.launch(index + 2));
    await Promise.all(others);
    this.hasStarted = true;
    return listening;
  }

  /** The metrics of all workers, in the text format of Prometheus. */
  async metrics(): Promise<string> {
    const texts = new Map<number, string>();
    const asked = [...this.workers].toSorted(([a], [b]) => a - b);
    const answers = await Promise.all(asked.map(([, worker]) => askMetrics(worker)));
    for (const [at, [number]] of asked.entries()) texts.set(number, answers[at] ?? '');
    return mergeMetrics(texts) + this.own.render();
  }

  /** Sends SIGTERM to every worker, and waits until all have ended. @throws WorkerStopError if one ends with an error */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearTimeout(timer);
    const ended = await Promise.allSettled(
      [...this.workers].map(([number, worker]) => stopped(number, worker)),
    );
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  /** @returns when it listens */
  private launch(number: number): Promise<Listening> {
    const startedAt = performance.now();
    const worker = cluster.fork({ [workerNumberVariable]: String(number), LOG_FILE: undefined });
    this.workers.set(number, worker);
    if (worker.process.stdout) copyLines(worker.process.stdout, this.logs.write);
    answerMetrics(worker, () => this.metrics());
    return new Promise((resolve, reject) => {
      onMessage(worker, (message) => {
        if (message.kind === 'listening') resolve(message.listening);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.workers.delete(number);
        reject(new WorkerStartError(number));
        if (this.hasStarted && !this.isStopping)
          this.replace(number, { code, signal, ranMs: performance.now() - startedAt });
      });
    });
  }

  private replace(
    number: number,
    { code, signal, ranMs }: { code: number | null; signal: string | null; ranMs: number },
  ): void {
    const delay = this.delays.get(number) ?? new RestartDelay();
    this.delays.set(number, delay);
    const restartMs = delay.next(ranMs);
    this.logs.log.error({ worker: number, code, signal, restartMs }, 'worker exited');
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.restarts.add();
      // Whether it listens or ends again is in the log; an ended one is replaced in turn.
      this.launch(number).then(
        () => this.logs.log.info({ worker: number }, 'worker restarted'),
        () => undefined,
      );
    }, restartMs);
    this.timers.add(timer);
  }
}

function stopped(number: number, worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      // One that has only just begun to start is ended by the signal itself.
      if (code === 0 || signal === 'SIGTERM') resolve();
      else reject(new WorkerStopError(number, code));
    });
    worker.process.kill('SIGTERM');
  });
}
