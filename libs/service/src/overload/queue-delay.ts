import { MessageChannel, type MessagePort } from 'node:worker_threads';

const callbacks: (() => void)[] = [];
let end: MessagePort | undefined;

/**
 * Calls back when the event loop has read everything that is ready at this moment. A message to this process joins the same
 * kernel queue as connections with unread requests. A timer or `setImmediate` is too late, because the same loop iteration also
 * reads requests that become ready while it runs, possibly tens of thousands.
 *
 * Do not call it from its own callback, because a message sent there arrives at once.
 */
export function afterQueuedReads(callback: () => void): void {
  end ??= openChannel();
  callbacks.push(callback);
  end.postMessage(undefined, []);
}

/** Opens the process's message channel. The ports let the process exit. */
function openChannel(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', () => callbacks.shift()?.());
  port2.unref();
  port1.unref();
  return port1;
}
