import { MessageChannel, type MessagePort } from 'node:worker_threads';

const callbacks: (() => void)[] = [];
let end: MessagePort | undefined;

/**
 * Calls back once the event loop has come past everything that is ready to be read at this moment: a message to
 * ourselves joins the same queue of the kernel in which connections with requests stand. A timer or `setImmediate`
 * would not do, for a turn of the loop takes in what becomes ready while it lasts, tens of thousands of requests long.
 *
 * Not to be asked from within such a callback: what is sent there comes at once.
 */
export function afterQueuedReads(callback: () => void): void {
  end ??= openChannel();
  callbacks.push(callback);
  end.postMessage(undefined, []);
}

/** One for the process; neither end keeps it alive. */
function openChannel(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', () => callbacks.shift()?.());
  port2.unref();
  port1.unref();
  return port1;
}
