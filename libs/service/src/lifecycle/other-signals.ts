import type { Logs } from '../logs/open-logs';

/**
 * Keeps SIGHUP and SIGUSR2 from ending the process, as they do by default. SIGHUP reopens the log file, as log rotation
 * expects; SIGUSR2 does nothing.
 */
export function surviveSignals(logs: Logs): void {
  process.on('SIGHUP', () => logs.reopen?.());
  process.on('SIGUSR2', () => undefined);
}
