import cluster, { type Worker } from 'node:cluster';
import { workerNumberVariable } from '@app/settings';
import type { Listening } from '../process/banner';
import type { OpenLogs } from '../logs/open-logs';
import { mergeMetrics } from '../metrics/merge-metrics';
import { Metrics } from '../metrics/metrics';
import { countRestarts } from '../metrics/process-metrics';
import { WorkerStartError, WorkerStopError } from './errors';
import { copyLines } from './copy-lines';
import { respondWithMetrics, requestMetrics } from '../metrics/exchange-metrics';
import { onMessage } from '../process/messages';
import { RestartDelay } from './restart-delay';
import { Watchdog } from './watchdog';

/** What a supervisor is made of. */
interface SupervisorOptions {
  readonly count: number;
  /** How long a worker may be silent, in seconds. */
  readonly timeoutSeconds: number;
}

/** Runs a program as several processes that accept connections on one port, and replaces those that end or hang. */
export class Supervisor {
  private readonly workers = new Map<number, Worker>();
  private readonly delays = new Map<number, RestartDelay>();
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Whether a worker has listened: one that ends now is replaced, and before that the program does not start. */
  private hasStarted = false;
  private isStopping = false;
  private readonly own = new Metrics();
  private readonly restarts = countRestarts(this.own);

  private readonly count: number;
  private readonly watchdog: Watchdog;

  constructor(
    { count, timeoutSeconds }: SupervisorOptions,
    private readonly logs: OpenLogs,
  ) {
    this.count = count;
    this.watchdog = new Watchdog(timeoutSeconds, (worker) => this.endHung(worker));
  }

  /**
   * Starts the first worker, which migrates and creates what is missing, and then the others. One of those that ends before it
   * listens is replaced as any other is.
   *
   * @returns what the first one says about itself
   * @throws WorkerStartError if the first one ends before it listens
   */
  async start(): Promise<Listening> {
    // Their log is written by this process, so that it has whole lines and one file.
    cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    const listening = await this.launch(1);
    this.hasStarted = true;
    const others = Array.from({ length: this.count - 1 }, (_, index) => this.launch(index + 2));
    await Promise.allSettled(others);
    return listening;
  }

  /** The metrics of all workers, in the text format of Prometheus. */
  async metrics(): Promise<string> {
    const texts = new Map<number, string>();
    const workers = [...this.workers].toSorted(([a], [b]) => a - b);
    const responses = await Promise.all(workers.map(([, worker]) => requestMetrics(worker)));
    for (const [at, [number]] of workers.entries()) texts.set(number, responses[at] ?? '');
    return mergeMetrics(texts) + this.own.render();
  }

  /** Sends a signal to each worker. */
  signal(signal: NodeJS.Signals): void {
    for (const worker of this.workers.values()) worker.process.kill(signal);
  }

  /** Sends SIGTERM to every worker, and waits until all have ended. @throws WorkerStopError if one ends with an error */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.watchdog.stop();
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
    this.watchdog.watch(number, !this.hasStarted);
    if (worker.process.stdout) copyLines(worker.process.stdout, this.logs.write);
    respondWithMetrics(worker, () => this.metrics());
    return new Promise((resolve, reject) => {
      onMessage(worker, (message) => {
        if (message.kind === 'listening') resolve(message.listening);
        if (message.kind === 'listening' || message.kind === 'alive') this.watchdog.note(number);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.workers.delete(number);
        this.watchdog.forget(number);
        reject(new WorkerStartError(number));
        if (this.hasStarted && !this.isStopping)
          this.replace(number, { code, signal, ranMs: performance.now() - startedAt });
      });
    });
  }

  /** Stopped, or blocked for good: it would not notice a SIGTERM. */
  private endHung(number: number): void {
    this.logs.log.error({ worker: number }, 'worker unresponsive');
    this.workers.get(number)?.process.kill('SIGKILL');
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
