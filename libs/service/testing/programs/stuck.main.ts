import { openLogs } from '../../src/logs/open-logs';
import { shutDownOnSignals } from '../../src/process/process-exit';

/** Runs a program that never completes its graceful shutdown. */
async function main(): Promise<void> {
  const logs = await openLogs('stuck', 'info');
  setInterval(() => undefined, 60_000);
  shutDownOnSignals(() => new Promise(() => undefined), logs, 100);
  process.send?.('waiting');
}

void main();
