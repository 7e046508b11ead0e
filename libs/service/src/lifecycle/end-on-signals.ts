import type { Logs } from '../logs/open-logs';

/** Within the ten seconds that orchestrators commonly give. */
const withinMs = 9000;
/** One Ctrl-C often comes twice: from the terminal, and again from the parent that passes it on. */
const sameSignalMs = 500;

/**
 * Ends the process on SIGTERM or SIGINT: with 0 once everything accepted is answered, with 1 when that takes too
 * long. A second signal ends it at once.
 *
 * @param close answers what was accepted and lets go of the rest
 * @param deadlineMs how long that may take
 */
export function endOnSignals(close: () => Promise<void>, logs: Logs, deadlineMs = withinMs): void {
  let askedAt: number | undefined;
  const end = (signal: NodeJS.Signals) => {
    if (askedAt === undefined) {
      askedAt = performance.now();
      logs.log.info({ signal }, 'ending: answering what was accepted');
      void endInOrder(close, logs, deadlineMs);
    } else if (performance.now() - askedAt > sameSignalMs) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

async function endInOrder(close: () => Promise<void>, logs: Logs, deadlineMs: number): Promise<void> {
  const timer = setTimeout(() => void endLate(logs, deadlineMs), deadlineMs);
  try {
    await close();
    logs.log.info('ended');
    process.exitCode = 0;
  } catch (error) {
    logs.log.error({ err: error }, 'the end did not go in order');
    process.exitCode = 1;
  }
  clearTimeout(timer);
  await logs.flush();
  process.exit();
}

async function endLate(logs: Logs, deadlineMs: number): Promise<void> {
  logs.log.fatal(`ended with requests unanswered: they took longer than ${deadlineMs / 1000} s`);
  await logs.flush(500);
  process.exit(1);
}

/**
 * Ends the process with 1, and the reason in the log, when an error was caught by nobody: what the program's
 * memory is worth then is unknown, and whoever runs it starts it anew.
 */
export function endOnUncaught(logs: Logs): void {
  const end = async (error: unknown) => {
    logs.log.fatal({ err: error }, 'ended by an error that nobody caught');
    await logs.flush();
    process.exit(1);
  };
  process.on('uncaughtException', (error) => void end(error));
  process.on('unhandledRejection', (reason) => void end(reason));
}
