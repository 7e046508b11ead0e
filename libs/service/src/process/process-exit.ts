import type { Logs } from '../logs/open-logs';

/** The time that {@link shutDownOnSignals} waits. It is below the ten seconds that orchestrators commonly allow. */
export const shutdownDeadlineMs = 9000;
/** A single Ctrl-C often arrives twice: from the terminal, and forwarded by the parent process. */
const repeatedSignalMs = 500;

/**
 * Shuts down gracefully on SIGTERM or SIGINT. The process exits with 0 once every accepted request has its response, and with 1
 * after the deadline. A second signal exits at once.
 *
 * @param close completes the accepted requests and releases the program's resources
 * @param deadlineMs how long that may take; default 9 s
 */
export function shutDownOnSignals(
  close: () => Promise<void>,
  logs: Logs,
  deadlineMs = shutdownDeadlineMs,
): void {
  let startedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      logs.log.info({ signal }, 'graceful shutdown started');
      void shutDown(close, logs, deadlineMs);
    } else if (performance.now() - startedAt > repeatedSignalMs) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // Its terminal was closed.
  if (process.stdout.isTTY) process.on('SIGHUP', onSignal);
}

async function shutDown(close: () => Promise<void>, logs: Logs, deadlineMs: number): Promise<void> {
  const timer = setTimeout(() => void exitAfterDeadline(logs, deadlineMs), deadlineMs);
  try {
    await close();
    logs.log.info('graceful shutdown completed');
    process.exitCode = 0;
  } catch (error) {
    logs.log.error({ err: error }, 'graceful shutdown failed');
    process.exitCode = 1;
  }
  clearTimeout(timer);
  await logs.flush();
  process.exit();
}

async function exitAfterDeadline(logs: Logs, deadlineMs: number): Promise<void> {
  logs.log.fatal({ deadlineMs }, 'graceful shutdown timed out');
  await logs.flush(500);
  process.exit(1);
}

/**
 * Logs an uncaught exception or unhandled rejection and exits with 1, because the state of the process is undefined then. Its
 * supervisor restarts it.
 */
export function exitOnUncaughtException(logs: Logs): void {
  const exit = async (error: unknown, message: string) => {
    logs.log.fatal({ err: error }, message);
    await logs.flush();
    process.exit(1);
  };
  process.on('uncaughtException', (error) => void exit(error, 'uncaught exception'));
  process.on('unhandledRejection', (reason) => void exit(reason, 'unhandled rejection'));
}

/**
 * Ignores `EPIPE` on standard output and standard error. Without a listener, the first write after a log shipper or a
 * terminal has exited would end the process.
 */
export function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
}

function ignore(): void {}
