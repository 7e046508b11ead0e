import { MessageChannel, type MessagePort } from 'node:worker_threads';

const callbacks: (() => void)[] = [];
let end: MessagePort | undefined;

/**
 * Calls back once the event loop has read everything that is ready at this moment: a message to this process joins the
 * same kernel queue as connections with unread requests. A timer or `setImmediate` does not work: one iteration of the
 * loop also reads what becomes ready while it lasts, which can be tens of thousands of requests.
 *
 * Not to be called from such a callback: a message that is sent there arrives at once.
 */
export function afterQueuedReads(callback: () => void): void {
  end ??= openChannel();
  callbacks.push(callback);
  end.postMessage(undefined, []);
}

/** One per process; neither port keeps the process alive. */
function openChannel(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', () => callbacks.shift()?.());
  port2.unref();
  port1.unref();
  return port1;
}
