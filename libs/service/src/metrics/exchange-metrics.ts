import { type Channel, onMessage, send } from '../process/messages';

/** A process that does not respond in time is left out of the metrics. */
const responseTimeoutMs = 2000;
let lastId = 0;

/** Requests the metrics of the other end. @returns `undefined` if it does not respond */
export function requestMetrics(channel: Channel): Promise<string | undefined> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const end = (text: string | undefined) => {
      clearTimeout(timer);
      stop();
      resolve(text);
    };
    const timer = setTimeout(end, responseTimeoutMs, undefined);
    const stop = onMessage(channel, (message) => {
      if (message.kind === 'metrics-response' && message.id === id) end(message.text);
    });
    send(channel, { kind: 'metrics-request', id });
  });
}

/** Responds to the requests of the other end. */
export function respondWithMetrics(channel: Channel, render: () => string | Promise<string>): void {
  onMessage(channel, (message) => {
    if (message.kind !== 'metrics-request') return;
    const { id } = message;
    void Promise.resolve(render()).then((text) => send(channel, { kind: 'metrics-response', id, text }));
  });
}
