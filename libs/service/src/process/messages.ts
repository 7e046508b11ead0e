import type { Listening } from './banner';

/** What a worker and its supervisor tell each other. */
export type Message =
  | { readonly kind: 'listening'; readonly listening: Listening }
  /** A sign of life. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'metrics-request'; readonly id: number }
  | { readonly kind: 'metrics-response'; readonly id: number; readonly text: string };

/** One end of the connection between them: `process` in a worker, the worker in its supervisor. */
export interface Channel {
  send?(message: Message, sent?: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

const kinds: ReadonlySet<unknown> = new Set<Message['kind']>([
  'listening',
  'alive',
  'metrics-request',
  'metrics-response',
]);

/** Calls back with each of our messages; a program may send others. @returns stops */
export function onMessage(channel: Channel, receive: (message: Message) => void): () => void {
  const listener = (message: unknown) => {
    if (isMessage(message)) receive(message);
  };
  channel.on('message', listener);
  return () => void channel.off('message', listener);
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'kind' in message && kinds.has(message.kind);
}

/** Sends a message; one to a process that has just ended is lost. */
export function send(channel: Channel, message: Message): void {
  channel.send?.(message, () => undefined);
}
