import { connect, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';

/** A connection below HTTP, for bytes that an HTTP client does not send. */
export interface RawConnection {
  readonly socket: Socket;
  /** Returns all text received so far. */
  received(): string;
  /** Waits until the text matches, the connection ends, or the time is over. */
  until(pattern: RegExp, milliseconds: number): Promise<string>;
  /** Waits until the connection ends, or the time is over. */
  untilEnd(milliseconds: number): Promise<string>;
  close(): void;
}

const never = /(?!)/;
/** The limit for received text in characters. */
const maxKept = 1_000_000;

/** Opens a connection; a failure shows as a closed socket. */
export function openRaw(url: URL, from?: string): RawConnection {
  const place = {
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    localAddress: from,
  };
  const socket =
    url.protocol === 'https:' ? secureConnect({ ...place, servername: url.hostname }) : connect(place);
  let text = '';
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    if (text.length < maxKept) text += chunk.toString('latin1');
  });
  return {
    socket,
    received: () => text,
    until: (pattern, milliseconds) => waitFor(socket, () => text, pattern, milliseconds),
    untilEnd: (milliseconds) => waitFor(socket, () => text, never, milliseconds),
    close: () => void socket.destroy(),
  };
}

function waitFor(socket: Socket, text: () => string, pattern: RegExp, milliseconds: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const look = () => pattern.test(text()) && end();
  const end = () => {
    clearTimeout(timer);
    socket.off('data', look).off('close', end);
    resolve(text());
  };
  const timer = setTimeout(end, milliseconds);
  socket.on('data', look).on('close', end);
  if (socket.destroyed) end();
  else look();
  return promise;
}

/** Returns the status of the first response in a text; 0 if the text has no response. */
export function statusIn(text: string): number {
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
}
