import {
  destination as toDescriptor,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import type { logLevels } from '../settings/service-settings';
import { type AnswerLines, answerLines } from './answer-lines';
import { errorFields } from './error-fields';
import { bufferLines } from './buffered-stream';
import { scrub } from './scrub';

/** The log of one program. */
export type Log = Logger;

/** The least important line that is still written. */
export type LogLevel = (typeof logLevels)[number];

/** The log, and how to be sure that it is written. */
export interface Logs {
  readonly log: Log;
  /** Waits until all that was logged is handed to the operating system, but not longer than the deadline. */
  flush(deadlineMs?: number): Promise<void>;
}

const flushDeadlineMs = 1000;
/** A reader that stands still may cost this much memory; then lines are dropped, not the service. */
const maxBufferedBytes = 16 * 1024 * 1024;

/** Names under which a secret would be logged if someone logged what carries it. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'access_token',
  'refresh_token',
  'token',
  'secret',
  '["x-api-key"]',
  '["set-cookie"]',
];

/**
 * Makes a log that writes to a stream: one JSON object a line, unless the stream does something else with it.
 *
 * @param name the application, so that the lines of two programs can be told apart
 */
export function makeLog(name: string, level: LogLevel, stream: DestinationStream): Log {
  const log = pino(
    {
      level,
      base: { name, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
      redact: { paths: secretFields.flatMap(anywhereNear), censor: '[hidden]' },
      hooks: { streamWrite: scrub },
    },
    stream,
  );
  writers.set(log, answerLines(name, stream));
  return log;
}

const writers = new WeakMap<Log, AnswerLines>();

/** The quick way into a log, for lines about answers; they stand between its others. */
export function answerLinesOf(log: Log): AnswerLines {
  return writers.get(log) ?? ((level, fields) => log[level](fields, 'answered'));
}

/** A log that nobody reads, for programs that are not run but tried. */
export function silentLogs(): Logs {
  return { log: pino({ level: 'silent' }, { write: () => undefined }), flush: () => Promise.resolve() };
}

/**
 * Opens the log of a program on its standard output: for people in a terminal, as JSON lines elsewhere. Written
 * aside, so that a reader which stands still does not make callers wait. A line about an answer waits up to 20 ms for
 * others.
 */
export async function openLogs(
  name: string,
  level: LogLevel,
  isTerminal = process.stdout.isTTY,
): Promise<Logs> {
  if (isTerminal) return { log: makeLog(name, level, await forPeople()), flush: () => Promise.resolve() };
  // A minimum of one byte writes every line at once; with none, flush would call back before the write.
  const lines = toDescriptor({
    fd: process.stdout.fd,
    sync: false,
    minLength: 1,
    maxLength: maxBufferedBytes,
  });
  let isLost = false;
  // A pipe whose reader went away, a full disk: the log is lost, the service goes on.
  lines.on('error', () => (isLost = true));
  lines.on('drain', () => (isLost = false));
  const gathered = bufferLines(lines);
  const flush = (deadlineMs = flushDeadlineMs) => {
    gathered.handOn();
    return isLost ? Promise.resolve() : withinDeadline((done) => lines.flush(done), deadlineMs);
  };
  return { log: makeLog(name, level, gathered), flush };
}

/** Loaded only where somebody looks: it costs a fifth of the start. */
async function forPeople(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, ignore: 'pid,name', translateTime: 'SYS:HH:MM:ss', singleLine: true });
}

function anywhereNear(field: string): string[] {
  return field.startsWith('[') ? [field, `*${field}`, `*.*${field}`] : [field, `*.${field}`, `*.*.${field}`];
}

function withinDeadline(start: (done: () => void) => void, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, deadlineMs);
    start(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
