import type { DestinationStream } from 'pino';
import { writeBuffered } from './buffered-stream';
import { scrub } from './scrub';

/** What the log says of a request whose answer is through. */
export interface AnswerFields {
  /** Made by us; like the caller’s and the method it holds nothing that JSON would escape. */
  readonly requestId: string;
  /** The id that the caller gave, when it is one that can be repeated. */
  readonly callersId?: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

export type AnswerLevel = 'debug' | 'info' | 'error';

/** Writes a line about an answer. */
export type AnswerLines = (level: AnswerLevel, fields: AnswerFields) => void;

/**
 * Writes the same lines as the log does, for the one kind that is written with every request. Its fields are known, so
 * nobody has to look for secrets in objects, and only what a caller wrote is scrubbed: a line costs a tenth of pino's.
 *
 * @param name the application
 */
export function answerLines(name: string, stream: DestinationStream): AnswerLines {
  const write = writeBuffered(stream);
  const base = `,"name":${JSON.stringify(name)},"pid":${process.pid},"requestId":"`;
  return (level, { requestId, callersId, method, path, status, durationMs }) => {
    const callers = callersId === undefined ? '' : `"callersId":"${scrub(callersId)}",`;
    write(
      `{"level":"${level}","time":"${isoNow()}"${base}${requestId}",${callers}"method":"${method}",` +
        `"path":${JSON.stringify(scrub(path))},"status":${status},"durationMs":${durationMs},"msg":"answered"}\n`,
    );
  };
}

let shownMs = Number.NaN;
let shown = '';
let shownSecond = Number.NaN;
let upToSecond = '';

/** Many requests end in one millisecond, and more in one second: to write a date costs more than to compare it. */
function isoNow(): string {
  const now = Date.now();
  if (now !== shownMs) {
    shownMs = now;
    shown = `${secondOf(now)}.${String(now % 1000).padStart(3, '0')}Z`;
  }
  return shown;
}

function secondOf(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== shownSecond) {
    shownSecond = second;
    upToSecond = new Date(now).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  }
  return upToSecond;
}
