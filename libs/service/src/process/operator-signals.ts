import type { Log, Logs } from '../logs/open-logs';

/** The minutes for which a program logs at `debug` after SIGUSR2. */
export const debugMinutes = 15;

/**
 * Handles the operator signals that would end a running program by default. SIGHUP reopens the log file, as log rotation
 * expects. SIGUSR2 switches the log level to `debug` for a quarter of an hour, or back.
 *
 * @param forward passes SIGUSR2 to the program's other processes
 */
export function handleOperatorSignals(
  logs: Logs,
  forward: (signal: 'SIGUSR2') => void = () => undefined,
): void {
  const debugging = new TemporaryDebug(logs.log);
  process.on('SIGHUP', () => logs.reopen?.());
  process.on('SIGUSR2', () => {
    debugging.toggle();
    forward('SIGUSR2');
  });
}

/** Lowers a log level for a while. The timer restores the level so that a forgotten `debug` cannot fill a disk. */
export class TemporaryDebug {
  private readonly usual: string;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Log) {
    this.usual = log.level;
  }

  toggle(): void {
    if (this.timer !== undefined) return this.end();
    this.log.level = 'debug';
    this.timer = setTimeout(() => this.end(), debugMinutes * 60_000).unref();
    this.log.warn({ to: 'debug', minutes: debugMinutes }, 'log level changed');
  }

  private end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.log.warn({ to: this.usual }, 'log level changed');
    this.log.level = this.usual;
  }
}
