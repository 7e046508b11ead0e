import { openLogs } from '../../src/logs/open-logs';
import { endOnSignals } from '../../src/lifecycle/end-on-signals';

/** A program that cannot end in order. */
async function main(): Promise<void> {
  const logs = await openLogs('stuck', 'info');
  setInterval(() => undefined, 60_000);
  endOnSignals(() => new Promise(() => undefined), logs, 100);
  process.send?.('waiting');
}

void main();
