import { type Channel, onMessage, send } from './messages';

/** A process that does not answer is left out of the metrics. */
const answerMs = 2000;
let lastId = 0;

/** Asks the other end for its metrics. @returns `undefined` if it does not answer */
export function askMetrics(channel: Channel): Promise<string | undefined> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const end = (text: string | undefined) => {
      clearTimeout(timer);
      stop();
      resolve(text);
    };
    const timer = setTimeout(end, answerMs, undefined);
    const stop = onMessage(channel, (message) => {
      if (message.kind === 'metrics' && message.id === id) end(message.text);
    });
    send(channel, { kind: 'ask-metrics', id });
  });
}

/** Answers the other end when it asks. */
export function answerMetrics(channel: Channel, render: () => string | Promise<string>): void {
  onMessage(channel, (message) => {
    if (message.kind !== 'ask-metrics') return;
    const { id } = message;
    void Promise.resolve(render()).then((text) => send(channel, { kind: 'metrics', id, text }));
  });
}
