import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { logLevels } from './log-settings';
import { errorFields } from './error-fields';
import { escapeControls, forTerminal } from './control-characters';
import { type LogDestination, openLogDestination } from './log-destination';
import { traceFields } from './current-trace';
import { redact } from './redact';

/** The log of one program. */
export type Log = Logger;

/** The log of the ingress, for facts that are not sent to callers. */
export type IngressLog = Record<'debug' | 'warn' | 'error', (fields: object, message: string) => void>;

/** The lowest level that is written. */
export type LogLevel = (typeof logLevels)[number];

/** The log, and how it is flushed. */
export interface Logs {
  readonly log: Log;
  /** Resolves when everything logged was written to the operating system, or after the deadline; default 1 s. */
  flush(deadlineMs?: number): Promise<void>;
  /** Opens its file again, which may have been moved; only of a log in a file. */
  readonly reopen?: () => void;
}

/** The log of a program, to which other processes add. */
export interface OpenLogs extends Logs {
  /** Writes lines that another process of the program has formatted. */
  readonly write: (lines: string) => void;
}

const flushDeadlineMs = 1000;

/** Fields that are always redacted. */
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
 * Makes a log that writes to a stream, one JSON object per line.
 *
 * @param name the application; it is a field of every line
 */
export function makeLog(
  name: string,
  level: LogLevel,
  stream: DestinationStream & Partial<LogDestination>,
): Log {
  const options: LoggerOptions = {
    base: { name, pid: process.pid },
    timestamp: isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const log = pino(
    {
      ...options,
      level,
      serializers: { err: errorFields },
      mixin: traceFields,
      redact: { paths: secretFields.flatMap(redactPaths), censor: '[hidden]' },
      hooks: { streamWrite: (line) => escapeControls(redact(line)) },
    },
    stream,
  );
  accessLogs.set(
    log,
    pino(
      { ...options, level: 'trace', serializers: callerTexts, hooks: { streamWrite: escapeControls } },
      { write: stream.batch ?? ((line) => stream.write(line)) },
    ),
  );
  return log;
}

let formattedMs = Number.NaN;
let formattedTime = '';

/** Formats a date once for all requests that complete in the same millisecond, which is a quarter of a line's cost. */
function isoTime(): string {
  const now = Date.now();
  if (now === formattedMs) return formattedTime;
  formattedMs = now;
  formattedTime = `,"time":"${new Date(now).toISOString()}"`;
  return formattedTime;
}

/**
 * Texts in the line of a completed request that come from outside. Only they are redacted, as the other fields are known: to
 * redact the whole line takes 20 µs for each request.
 */
const callerTexts = {
  requestId: (id: string) => (/^[\w.-]+$/.test(id) ? id : redact(id)),
  clientRequestId: redact,
  address: (address: string) => (/^[\d.a-f:]{2,45}$/.test(address) ? address : redact(address)),
};

const accessLogs = new WeakMap<Log, Log>();

/** The log of completed requests, which has every level and keeps the order with other lines. */
export function accessLogOf(log: Log): Log {
  return accessLogs.get(log) ?? log;
}

/** A log that writes nothing, for tests. */
export function silentLogs(): Logs {
  return { log: pino({ level: 'silent' }, { write: () => undefined }), flush: () => Promise.resolve() };
}

/** Where a program logs. */
export interface LogTarget {
  /** A file to append to; default standard output. */
  readonly file?: string;
  /** Default: whether standard output is one. */
  readonly isTerminal?: boolean;
}

/**
 * Opens the log of a program: readable text in a terminal, JSON lines elsewhere. Writes are asynchronous, so that a
 * stalled reader does not delay requests. Lines about completed requests are buffered up to 20 ms.
 *
 * @throws LogFileError if the file cannot be written
 */
export async function openLogs(
  name: string,
  level: LogLevel,
  { file, isTerminal = process.stdout.isTTY }: LogTarget = {},
): Promise<OpenLogs> {
  if (isTerminal && file === undefined) {
    const pretty = await prettyStream();
    const write = (text: string) => pretty.write(forTerminal(text));
    return { log: makeLog(name, level, { write }), flush: () => Promise.resolve(), write };
  }
  const lines = openLogDestination(file);
  let isLost = false;
  let isReported = false;
  // A closed pipe or a full disk: log lines are lost, the service continues.
  lines.on('error', () => {
    isLost = true;
    if (!isReported)
      process.stderr.write(
        `sluice ${name}: the reader of the log has ended, or its disk is full: log lines are lost\n`,
      );
    isReported = true;
  });
  lines.on('drain', () => (isLost = false));
  const flush = (deadlineMs = flushDeadlineMs) =>
    isLost ? Promise.resolve() : withinDeadline((done) => lines.flush(done), deadlineMs);
  const reopen = file === undefined ? undefined : () => lines.reopen();
  return { log: makeLog(name, level, lines), flush, reopen, write: (text) => lines.write(text) };
}

/** Loaded only for a terminal: it takes a fifth of the start. */
async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, ignore: 'pid,name', translateTime: 'SYS:HH:MM:ss', singleLine: true });
}

function redactPaths(field: string): string[] {
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
