import type { DestinationStream } from 'pino';

/** A stream of lines of which some may wait a moment for others. */
export interface GatheringStream extends DestinationStream {
  /** Takes a line that may wait; it is written before any line that may not, and in order. */
  gather(line: string): void;
  /** Hands on what waits. */
  handOn(): void;
}

/** How long a line may wait for others, in milliseconds, and how much may wait, in characters. */
const maxWaitMs = 20;
const maxWaiting = 64 * 1024;

/**
 * Lets lines of little weight go out together: each write wakes a thread, which costs more than to answer a request.
 *
 * @param to where lines go; nothing is waited for there
 */
export function gathering(to: DestinationStream): GatheringStream {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const handOn = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = '';
    if (lines !== '') to.write(lines);
  };
  return {
    handOn,
    gather(line) {
      waiting += line;
      if (waiting.length >= maxWaiting) handOn();
      else timer ??= setTimeout(handOn, maxWaitMs);
    },
    write(line) {
      handOn();
      to.write(line);
    },
  };
}

/** Writes a line that may wait, where the stream lets lines wait. */
export function writeAtLeisure(stream: DestinationStream): (line: string) => void {
  return gathers(stream) ? (line) => stream.gather(line) : (line) => stream.write(line);
}

function gathers(stream: DestinationStream | GatheringStream): stream is GatheringStream {
  return 'gather' in stream;
}
